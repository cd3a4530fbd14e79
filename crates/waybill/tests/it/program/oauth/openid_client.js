// An app that uses openid-client, as its documentation shows.
'use strict';

const assert = require('node:assert/strict');
const { Issuer } = require('openid-client');

async function main(given) {
  const { base_url: base, team_uuid: team } = given;
  const issuer = await Issuer.discover(`${base}/.well-known/oauth-authorization-server`);
  assert.equal(issuer.issuer, base);
  const known = {
    client_id: given.client_id,
    client_secret: given.client_secret,
    redirect_uris: [given.redirect_uri],
    response_types: ['code'],
  };
  const client = new issuer.Client(known);
  const opened = async (token) => (await fetch(`${base}/v2/teams/${team}`, {
    headers: { Authorization: `Bearer ${token}` },
  })).status;

  // A program of its own, which proves who it is by Basic and in the body.
  for (const how of ['client_secret_basic', 'client_secret_post']) {
    const own = new issuer.Client({ ...known, token_endpoint_auth_method: how });
    const token = await own.grant({ grant_type: 'client_credentials', scope: 'teams:read' });
    assert.equal(token.team_uuid, team);
    assert.equal(token.scope, 'teams:read');
    assert.equal(await opened(token.access_token), 200);
    assert.equal((await own.introspect(token.access_token)).active, true);
    await own.revoke(token.access_token);
    assert.equal((await own.introspect(token.access_token)).active, false);
    assert.equal(await opened(token.access_token), 401);
  }

  // An app that acts for a user. It checks who gave the code.
  const checks = { code_verifier: given.code_verifier, state: 'here', response_type: 'code' };
  const back = { code: given.code, state: 'here', iss: base };
  await assert.rejects(
    client.oauthCallback(given.redirect_uri, { ...back, iss: 'https://evil.example' }, checks),
    /iss mismatch/,
  );
  const first = await client.oauthCallback(given.redirect_uri, back, checks);
  assert.match(first.refresh_token, /^wbr_/);
  const second = await client.refresh(first.refresh_token);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal(await opened(second.access_token), 200);
  // Whoever has the first one still shows that two have it, and both lose.
  await assert.rejects(client.refresh(first.refresh_token), { error: 'invalid_grant' });
  assert.equal(await opened(second.access_token), 401);
  return 'done';
}

let input = '';
process.stdin.on('data', (part) => { input += part; });
process.stdin.on('end', () => {
  main(JSON.parse(input)).then(
    (told) => console.log(JSON.stringify(told)),
    (error) => { console.error(error); process.exit(1); },
  );
});
