"""An app that uses requests-oauthlib, as its documentation shows."""

import json
import sys
import time
from urllib.parse import parse_qs, urlsplit

import requests
from loopback import Loopback
from oauthlib.oauth2 import BackendApplicationClient, WebApplicationClient
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError, MismatchingStateError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

given = json.load(sys.stdin)
base_url, team = given["base_url"], given["team_uuid"]
url = f"{base_url}/.well-known/oauth-authorization-server"
metadata = requests.get(url, timeout=30).json()
endpoint = metadata["token_endpoint"]
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
home = Loopback()
client = WebApplicationClient(given["client_id"])
app = OAuth2Session(client=client, redirect_uri=home.address,
                    scope=["teams:read", "shipments:read"], pkce="S256")
page, state = app.authorization_url(metadata["authorization_endpoint"])
back = home.lead_there(page)
answered = parse_qs(urlsplit(back).query)
# The library leaves it to the app to look who answered (RFC 9207).
assert answered["iss"] == [metadata["issuer"]], back
seen += answered["code"]
other = OAuth2Session(given["client_id"], redirect_uri=home.address, state="another")
try:
    other.fetch_token(endpoint, authorization_response=back, auth=basic)
    raise AssertionError("an answer to another question was taken")
except MismatchingStateError:
    pass
first = app.fetch_token(endpoint, authorization_response=back, auth=basic)
second = app.refresh_token(endpoint, refresh_token=first["refresh_token"], auth=basic)
assert app.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 200
for token in (first, second):
    seen += [token["access_token"], token["refresh_token"]]
told = requests.post(metadata["introspection_endpoint"], auth=basic, timeout=30,
                     data={"token": second["refresh_token"]}).json()
assert told["active"] and told["team_uuid"] == team, told
# Whoever has the first one still shows that two have it, and both lose.
try:
    app.refresh_token(endpoint, refresh_token=first["refresh_token"], auth=basic)
    raise AssertionError("a refresh token was taken twice")
except InvalidGrantError:
    pass
told = requests.post(metadata["introspection_endpoint"], auth=basic, timeout=30,
                     data={"token": second["refresh_token"]}).json()
assert told == {"active": False}, told
# What the app gives back is over, as the library asks for it.
third = own.fetch_token(token_url=endpoint, auth=basic)
revoke, headers, body = client.prepare_token_revocation_request(
    metadata["revocation_endpoint"], third["access_token"])
requests.post(revoke, headers=headers, data=body, auth=basic, timeout=30).raise_for_status()
# Behind several servers it holds on all of them after a while.
time.sleep(given["holds_after"])
assert own.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 401
print(json.dumps(seen if given.get("tells") else "done"))
