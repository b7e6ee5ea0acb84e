#!/bin/sh
# Builds a release of the present commit into dist/release/VERSION (make release), for
# six platforms; internal/release says what is in it.
#
#   VERSION=v0.1.0     the version; the commit's tag, or a name made of its date and hash
#   PLATFORMS=a/b,c/d  build for these alone
set -eu
cd "$(dirname "$0")/.."

if [ -n "$(git status --porcelain)" ]; then
	echo "There are changes that no commit has: commit them, or put them aside with 'git stash -u'." >&2
	exit 1
fi
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
if [ -z "${VERSION:-}" ]; then
	VERSION=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null) ||
		VERSION=v0.0.0-$(TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd)-$(git rev-parse --short=12 HEAD)
fi
go run ./internal/release -version "$VERSION" -commit "$commit" -date "$SOURCE_DATE_EPOCH" \
	-out "dist/release/$VERSION" ${PLATFORMS:+-platforms "$PLATFORMS"}
