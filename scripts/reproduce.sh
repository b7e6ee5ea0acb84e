#!/bin/sh
# Builds the program twice, from copies in two folders and with two caches, and
# compares the bytes (make reproduce). The second build compiles everything.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
first=$dir/a
second=$dir/another/folder/with/a/longer/name
for to in "$first" "$second"; do
	mkdir -p "$to"
	tar -cf - --exclude=./.git --exclude=./limn --exclude=./dist --exclude=./shared --exclude='./.[a-z]*' --exclude=node_modules . | tar -xf - -C "$to"
done
sh "$first/scripts/build.sh" "$dir/limn1"
GOCACHE=$dir/cache sh "$second/scripts/build.sh" "$dir/limn2"
if ! cmp "$dir/limn1" "$dir/limn2"; then
	echo "the two builds differ" >&2
	exit 1
fi
echo "both builds are the same $(wc -c <"$dir/limn1" | tr -d ' ') bytes, sha256 $(sha256sum <"$dir/limn1" | cut -d' ' -f1)"
