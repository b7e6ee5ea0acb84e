#!/bin/sh
# Three agents and the gateway in front of them, until Ctrl-C. Needs Go and Python 3.
set -eu
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'kill $pids 2>/dev/null; rm -rf "$bin"' EXIT INT TERM
pids=
go build -o "$bin/limn" ./cmd/limn
go build -o "$bin/orders" ./examples/gateway
[ -s examples/gateway/desk.token ] ||
  (umask 077 && python3 -c 'import secrets; print(secrets.token_urlsafe(32))' >examples/gateway/desk.token)
python3 examples/gateway/weather.py 8091 >/dev/null & pids="$pids $!"
"$bin/orders" 127.0.0.1:8092 & pids="$pids $!"
"$bin/limn" serve examples/desk/desk.yaml --addr 127.0.0.1:8093 --store memory --door a2a >/dev/null & pids="$pids $!"
"$bin/limn" gateway examples/gateway/gateway.yaml --store memory
