#!/bin/sh
# build.sh OUT   builds the program; the same sources give the same bytes,
#                whatever the folder, the machine's user or the state of git
set -eu
cd "$(dirname "$0")/.."
CGO_ENABLED=0 GOFLAGS= go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o "$1" ./cmd/limn
