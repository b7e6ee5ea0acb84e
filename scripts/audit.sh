#!/bin/sh
# Looks for known weaknesses in what the program is built from (make audit).
#
# The modules' bytes are compared with go.sum, then govulncheck asks the Go
# vulnerability database (GOVULNDB names another one). Fails if the bytes differ
# or a weakness is found; where tool or database cannot be had it says so, lists
# the modules to look up by hand, and does not fail.
set -eu
cd "$(dirname "$0")/.."
tool=golang.org/x/vuln/cmd/govulncheck@v1.8.0

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

by_hand() {
	echo "NOT AUDITED: $1. Look these up by hand, at https://pkg.go.dev/vuln:"
	go version | cut -d' ' -f3
	go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}' ./cmd/limn | sort -u
	exit 0
}

go mod verify
GOBIN=$dir go install "$tool" >"$dir/log" 2>&1 || by_hand "govulncheck cannot be installed"
code=0
"$dir/govulncheck" -db "${GOVULNDB:-https://vuln.go.dev}" ./cmd/limn >"$dir/out" 2>&1 || code=$?
case $code in
0 | 3) # 3: something was found
	cat "$dir/out"
	[ "$code" -eq 0 ]
	;;
*)
	tail -n 1 "$dir/out"
	by_hand "the vulnerability database cannot be reached"
	;;
esac
