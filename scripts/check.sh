#!/bin/sh
# The quick checks before a commit (make check): at most two minutes once the
# build cache is warm.
set -eu
cd "$(dirname "$0")/.."
. scripts/steps.sh

# sources lists the project's Go files, also those not yet committed.
sources() {
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -- '*.go' | while read -r file; do
			[ ! -f "$file" ] || printf '%s\n' "$file"
		done
	else
		find . -name node_modules -prune -o -name '*.go' -print
	fi
}

formatted() {
	unformatted=$(sources | xargs gofmt -l) || return 1
	[ -z "$unformatted" ] && return 0
	printf 'gofmt would change these; run gofmt -w on them:\n%s\n' "$unformatted"
	return 1
}

step gofmt formatted
step "architecture" go test -count=1 ./internal/archtest
step "go vet" go vet ./...
step staticcheck go tool -modfile=tools/go.mod staticcheck ./...
step "go mod tidy" go mod tidy -diff
step "go test -short" go test -short ./...
finish
