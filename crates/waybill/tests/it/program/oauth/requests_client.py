"""An app that uses requests-oauthlib, as its documentation shows."""

import json
import sys

import requests
from oauthlib.oauth2 import BackendApplicationClient
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

given = json.load(sys.stdin)
base_url, team = given["base_url"], given["team_uuid"]
endpoint = f"{base_url}/oauth/token"
basic = HTTPBasicAuth(given["client_id"], given["client_secret"])
seen = []

# A program of its own, which proves who it is by Basic and in the body.
for how in ({"auth": basic},
            {"client_secret": given["client_secret"], "include_client_id": True}):
    own = OAuth2Session(client=BackendApplicationClient(client_id=given["client_id"]))
    token = own.fetch_token(token_url=endpoint, **how)
    assert token["team_uuid"] == team and token["expires_in"] == 3600, token
    assert own.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 200
    seen.append(token["access_token"])

# An app that acts for a user.
app = OAuth2Session(given["client_id"], redirect_uri=given["redirect_uri"])
first = app.fetch_token(endpoint, code=given["code"], auth=basic,
                        code_verifier=given["code_verifier"])
second = app.refresh_token(endpoint, refresh_token=first["refresh_token"], auth=basic)
assert app.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 200
for token in (first, second):
    seen += [token["access_token"], token["refresh_token"]]
told = requests.post(f"{base_url}/oauth/introspect", auth=basic, timeout=30,
                     data={"token": second["refresh_token"]}).json()
assert told["active"] and told["team_uuid"] == team, told
# Whoever has the first one still shows that two have it, and both lose.
try:
    app.refresh_token(endpoint, refresh_token=first["refresh_token"], auth=basic)
    raise AssertionError("a refresh token was taken twice")
except InvalidGrantError:
    pass
told = requests.post(f"{base_url}/oauth/introspect", auth=basic, timeout=30,
                     data={"token": second["refresh_token"]}).json()
assert told == {"active": False}, told
requests.post(f"{base_url}/oauth/revoke", auth=basic, timeout=30,
              data={"token": second["access_token"]}).raise_for_status()
print(json.dumps(seen if given.get("tells") else "done"))
