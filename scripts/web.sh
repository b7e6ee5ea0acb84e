#!/bin/sh
# Builds the browser side into web/dist, which the Go programs embed.
#
#   web.sh              fails when it can't
#   web.sh --optional   says what is missing and succeeds: Limn then serves
#                       plain HTML forms, without scripts
set -eu
cd "$(dirname "$0")/.."

if sh scripts/deps.sh npm && npm run --silent --prefix web build </dev/null; then
	exit 0
fi
if [ "${1:-}" != "--optional" ]; then
	exit 1
fi
cat <<'TEXT'

The browser side is not built: the pages work as plain HTML forms, and the A2UI
drawings are missing. For the live page install Node.js 20 or newer with npm and
run this command again.

TEXT
