#!/bin/sh
# Prints how long it takes from a fresh clone to a form of one's own on the screen.
set -eu

src=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
pid=
trap 'test -z "$pid" || kill "$pid"; rm -rf "$dir"' EXIT
git clone -q "$src" "$dir/limn"
cd "$dir/limn"

start=$(date +%s)
go build ./cmd/limn
built=$(date +%s)

./limn new shop >/dev/null
./limn dev shop.yaml --addr 127.0.0.1:0 >out &
pid=$!
base=
until test -n "$base"; do
	sleep 0.1
	base=$(sed -n 's/.* is at //p' out)
done
page=$(curl -sSL -b jar -c jar "$base") # jar keeps the conversation
at=$(echo "$page" | sed -n 's/.*data-page="\([^"]*\)".*/\1/p' | head -n 1)
curl -sSL -b jar -c jar -d text='add a customer' "$base$at/messages" | grep -q Company
shown=$(date +%s)

echo "built in $((built - start)) s, then the form is on the screen in $((shown - built)) s"
