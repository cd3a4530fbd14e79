#!/usr/bin/env bash
# Walks the operations of a running demo with generated requests. Fails on a 5xx, on a
# status that the contract does not declare, and on a body or header that it does not describe.
#
#   ./schemathesis.sh demo.json [more arguments of `schemathesis run`]
set -euo pipefail
demo=$1
shift
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$demo" "$1"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '[parameters]\n"path.teamUuid" = "%s"\n' "$(field team_uuid)" > "$folder/schemathesis.toml"
schemathesis --config-file "$folder/schemathesis.toml" run "$(field base_url)/openapi.json" \
  --header "Authorization: Bearer $(field token)" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance \
  --checks response_headers_conformance,response_schema_conformance \
  --max-examples 40 --workers 2 "$@"
