#!/bin/sh
# Builds the official A2UI renderers for browsers into web/dist, which the Go
# programs embed. Limn's own page needs no build.
#
#   web.sh              fails when it can't
#   web.sh --optional   says what is missing and succeeds: Limn then has its own
#                       page only
set -eu
cd "$(dirname "$0")/.."

if sh scripts/deps.sh npm && npm run --silent --prefix web build </dev/null; then
	exit 0
fi
if [ "${1:-}" != "--optional" ]; then
	exit 1
fi
cat <<'TEXT'
The pages of the official A2UI renderers are not built; Limn's own page has all.
With Node.js 20 or newer and npm, run this command again for those, too.
TEXT
