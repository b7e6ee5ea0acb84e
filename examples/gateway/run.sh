#!/bin/sh
# Four agents and the gateway in front of them, until Ctrl-C. Needs Go, Python 3 and Node.js 20.
#
#   run.sh [PORT]    the page is at PORT, 8080 by default; the agents are at the ports 11 to 14 above it
set -eu
cd "$(dirname "$0")/../.."
page=${1:-8080}
bin=$(mktemp -d)
trap 'kill $pids 2>/dev/null; rm -rf "$bin"' EXIT
trap exit INT TERM
pids=
notes=examples/gateway/notes
echo "Building the gateway and its agents. The first time takes some minutes." >&2
go build -o "$bin/limn" ./cmd/limn
go build -o "$bin/orders" ./examples/gateway
[ -d $notes/node_modules ] || npm ci --prefix $notes --ignore-scripts --loglevel=error >/dev/null
npm run --silent --prefix $notes build
(umask 077 && python3 -c 'import secrets; print(secrets.token_urlsafe(32))' >"$bin/desk.token")
sed "s/:8091/:$((page + 11))/; s/:8092/:$((page + 12))/; s/:8093/:$((page + 13))/; s/:8094/:$((page + 14))/" \
  examples/gateway/gateway.yaml >"$bin/gateway.yaml"
python3 examples/gateway/weather.py $((page + 11)) >/dev/null & pids="$pids $!"
"$bin/orders" 127.0.0.1:$((page + 12)) & pids="$pids $!"
"$bin/limn" serve examples/desk/desk.yaml --addr 127.0.0.1:$((page + 13)) --store memory --door a2a >/dev/null & pids="$pids $!"
node $notes/dist/notes.js $((page + 14)) >/dev/null & pids="$pids $!"
"$bin/limn" gateway "$bin/gateway.yaml" --addr "127.0.0.1:$page" --store memory & pids="$pids $!"
wait $!
