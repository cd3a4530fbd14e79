// An app that uses openid-client, as its documentation shows.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { Issuer, generators } = require('openid-client');

// Waits on this machine for the browser of the user.
async function listen() {
  const server = http.createServer();
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  const leadThere = (url) => new Promise((done) => {
    server.on('request', (request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.setHeader('Connection', 'close');
      response.end('<!DOCTYPE html><title>App</title><h1>Welcome back</h1>');
      if (request.url.startsWith('/cb?')) {
        done(request);
      }
    });
    console.log(JSON.stringify({ open: url }));
  });
  return { address: `http://127.0.0.1:${server.address().port}/cb`, leadThere };
}

async function main(given) {
  const { base_url: base, team_uuid: team } = given;
  const issuer = await Issuer.discover(`${base}/.well-known/oauth-authorization-server`);
  assert.equal(issuer.issuer, base);
  const home = await listen();
  const known = {
    client_id: given.client_id,
    client_secret: given.client_secret,
    redirect_uris: [home.address],
    response_types: ['code'],
  };
  const client = new issuer.Client(known);
  const over = [];
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
    over.push(token.access_token);
  }

  // An app that acts for a user. The library checks who answered, and whom.
  const [state, verifier] = [generators.state(), generators.codeVerifier()];
  const page = client.authorizationUrl({
    scope: 'teams:read shipments:read',
    state,
    code_challenge: generators.codeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = client.callbackParams(await home.leadThere(page));
  const checks = { code_verifier: verifier, state, response_type: 'code' };
  for (const [wrong, error] of [
    [{ ...back, iss: 'https://evil.example' }, /iss mismatch/],
    [{ ...back, iss: undefined }, /iss missing/],
    [{ ...back, state: 'another' }, /state mismatch/],
  ]) {
    await assert.rejects(client.oauthCallback(home.address, wrong, checks), error);
  }
  const first = await client.oauthCallback(home.address, back, checks);
  assert.equal(first.scope, 'teams:read shipments:read');
  assert.match(first.refresh_token, /^wbr_/);
  const second = await client.refresh(first.refresh_token);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal(await opened(second.access_token), 200);
  // Whoever has the first one still shows that two have it, and both lose.
  await assert.rejects(client.refresh(first.refresh_token), { error: 'invalid_grant' });
  over.push(second.access_token);
  assert.equal((await client.introspect(second.refresh_token)).active, false);
  await client.revoke(second.refresh_token);
  // Behind several servers the end of a token holds on all of them after a while.
  await new Promise((done) => { setTimeout(done, given.holds_after * 1000); });
  for (const token of over) {
    assert.equal(await opened(token), 401);
  }
  return 'done';
}

let input = '';
process.stdin.on('data', (part) => { input += part; });
process.stdin.on('end', () => {
  main(JSON.parse(input)).then(
    // A browser may keep its lines open.
    (told) => { console.log(JSON.stringify(told)); process.exit(0); },
    (error) => { console.error(error); process.exit(1); },
  );
});
