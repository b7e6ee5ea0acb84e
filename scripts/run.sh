#!/bin/sh
# Builds what `make run` needs, saying what it does, and serves the sample
# application until Ctrl-C.
set -eu
cd "$(dirname "$0")/.."

sh scripts/web.sh --optional
echo "Building Limn. The first time, Go fetches and compiles its modules: a few minutes."
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
trap : INT TERM # the server ends by itself
# Downloads are listed as they come; -v names each package as it is compiled.
if [ -t 2 ]; then
	go build -v -o "$program/limn" ./cmd/limn 2>&1 | awk '{ n++; printf "\r\033[K  %d packages, now %s", n, $NF; fflush() } END { if (n) printf "\r\033[K" }'
	[ -x "$program/limn" ] || go build -o "$program/limn" ./cmd/limn
else
	go build -o "$program/limn" ./cmd/limn
fi
"$program/limn" serve
