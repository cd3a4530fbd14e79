"""An app that uses Authlib, as its documentation shows."""

import json
import sys
import time
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6749.errors import MismatchingStateException
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from loopback import Loopback

given = json.load(sys.stdin)
base_url, team = given["base_url"], given["team_uuid"]
url = f"{base_url}/.well-known/oauth-authorization-server"
metadata = requests.get(url, timeout=30).json()
assert metadata["issuer"] == base_url, metadata
described = AuthorizationServerMetadata(metadata)
for name in ("response_types_supported", "grant_types_supported", "scopes_supported"):
    getattr(described, f"validate_{name}")()
endpoint = metadata["token_endpoint"]


def session(method, **more):
    return OAuth2Session(given["client_id"], given["client_secret"],
                         token_endpoint_auth_method=method, **more)


def is_active(client, token):
    answer = client.introspect_token(metadata["introspection_endpoint"], token=token)
    answer.raise_for_status()
    return answer.json()["active"]


# A program of its own.
gave_back = []
for method in metadata["token_endpoint_auth_methods_supported"][:2]:
    own = session(method)
    token = own.fetch_token(endpoint, grant_type="client_credentials", scope="teams:read")
    assert token["team_uuid"] == team and token["scope"] == "teams:read", token
    answer = own.get(f"{base_url}/v2/teams/{team}", timeout=30)
    assert answer.status_code == 200, answer.text
    assert is_active(own, token["access_token"])
    own.revoke_token(metadata["revocation_endpoint"], token=token["access_token"]).raise_for_status()
    assert not is_active(own, token["access_token"])
    gave_back.append(own)

# An app that acts for a user.
home = Loopback()
app = session("client_secret_basic", redirect_uri=home.address, scope="teams:read shipments:read",
              code_challenge_method="S256")
verifier = generate_token(48)
page, state = app.create_authorization_url(metadata["authorization_endpoint"],
                                           code_verifier=verifier)
back = home.lead_there(page)
# The library leaves it to the app to look who answered (RFC 9207).
assert metadata["authorization_response_iss_parameter_supported"]
assert parse_qs(urlsplit(back).query)["iss"] == [metadata["issuer"]], back
try:
    app.fetch_token(endpoint, authorization_response=back, state="another", code_verifier=verifier)
    raise AssertionError("an answer to another question was taken")
except MismatchingStateException:
    pass
first = app.fetch_token(endpoint, authorization_response=back, state=state, code_verifier=verifier)
assert first["scope"] == "teams:read shipments:read" and first["team_uuid"] == team, first
assert first["refresh_token"].startswith("wbr_"), "no refresh token"
second = app.refresh_token(endpoint, refresh_token=first["refresh_token"])
assert second["refresh_token"] != first["refresh_token"]
assert app.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 200
app.revoke_token(metadata["revocation_endpoint"], token=second["refresh_token"],
                 token_type_hint="refresh_token").raise_for_status()

# Behind several servers the end of a token holds on all of them after a while.
time.sleep(given["holds_after"])
for client in [*gave_back, app]:
    assert client.get(f"{base_url}/v2/teams/{team}", timeout=30).status_code == 401
print(json.dumps("done"))
