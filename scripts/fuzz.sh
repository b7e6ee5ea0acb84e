#!/bin/sh
# Runs every fuzz target in turn.
#
#   fuzz.sh each TIME [NAMES]   TIME for each target, as 3s or 10m
#   fuzz.sh all TIME [NAMES]    TIME for all of them: what building leaves of it is
#                               shared out, at least half a second for each
#   fuzz.sh build DIR [NAMES]   builds the programs of "all" alone, into DIR, which is
#                               FUZZPROGRAMS then
#
# NAMES is a regular expression: FuzzAdmit|FuzzLoad. A failing input is kept by
# `go test` under the package's testdata/fuzz: commit it with the fix. The last
# line is "fuzz: N passed, N failed".
set -eu
cd "$(dirname "$0")/.."

usage() {
	echo "fuzz.sh: $1; usage: fuzz.sh each|all TIME [NAMES], with a time such as 3s or 10m, or build DIR" >&2
	exit 2
}

share=${1:-}
time=${2:-}
names=${3:-Fuzz[A-Za-z0-9_]*}
case "$share" in
each | all | build) ;;
*) usage "'$share' is none of each, all and build" ;;
esac
case "$share $time" in
"build "?*) seconds=0 ;;
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*) usage "'$time' is no time" ;;
esac

# A target that hangs is stopped well after its time, where timeout(1) exists.
guard=
if command -v timeout >/dev/null; then
	guard="timeout -k 10 $((seconds + 180))"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
log=$scratch/log
programs=${FUZZPROGRAMS:-$scratch}
[ "$share" != build ] || programs=$time

# Short runs do not minimize: a single input that covers something new could take
# all of their time (7 inputs in two seconds instead of 50,000).
minimize=0
[ "$share" = all ] || minimize=10s

module=$(go list -m)
cache=$(go env GOCACHE)/fuzz/$module

# fuzz_one PACKAGE TARGET MS runs the package's instrumented test binary where
# `go test` would run it, with the inputs that `go test` would keep.
fuzz_one() {
	(
		cd "$1"
		# shellcheck disable=SC2086 # guard is several words, or none
		exec $guard "$programs/$1/fuzz.test" -test.run='^$' -test.fuzz="^$2\$" -test.fuzztime="$3ms" \
			-test.fuzzminimizetime="$minimize" -test.fuzzcachedir="$cache/$1"
	) </dev/null >"$log" 2>&1
}

packages=$(find . \( -name node_modules -o -name testdata -o -name bench -o -name '.?*' \) -prune \
	-o -name '*_test.go' -exec grep -lE "^func ($names)\\(" {} + | sed 's|/[^/]*$||' | sort -u)

# Only our own packages count coverage (the flag is what -fuzz gives to every package),
# so that modules are compiled as for any other test. In a short run that is the package
# of the target alone: in half a second, what is covered below it guides nothing.
counting=$module/...=-d=libfuzzer
[ "$share" = each ] || counting=-d=libfuzzer

# build JOBS compiles the fuzz binary of each package it reads, JOBS side by side.
# Nothing is written for a debugger: that takes a third of linking.
build() {
	xargs -P "$1" -I {} go test -vet=off -c -gcflags="$counting" -ldflags='-s -w' \
		-o "$programs/{}/fuzz.test" {} || true # said below
}

# Built once for all targets of a package, and all before the first one runs, so
# that it is known how much time is left for how many. The package with the most
# dependencies comes first, alone: the others then find most of theirs built, and
# no two of them build the same one at once.
end=$(($(date +%s) + seconds))
if [ -z "${FUZZPROGRAMS:-}" ]; then
	for package in $packages; do
		mkdir -p "$programs/$package"
	done
	# shellcheck disable=SC2086 # packages is a list of words
	largest=$(go list -f '{{len .Deps}} {{.Dir}}' $packages | sort -rn | sed -n "1s|^[0-9]* $PWD|.|p")
	[ -z "$largest" ] || echo "$largest" | build 1
	printf '%s\n' "$packages" | grep -vxF "$largest" | build "$(getconf _NPROCESSORS_ONLN)"
fi
passed=0
failed=0
for package in $packages; do
	if [ -x "$programs/$package/fuzz.test" ]; then
		"$programs/$package/fuzz.test" -test.list='^Fuzz' | grep -xE "$names" | sed "s|^|$package |" >>"$scratch/targets"
	else
		failed=$((failed + 1))
		echo "FAIL $package cannot be built"
	fi
done
if [ "$share" = build ]; then
	echo "fuzz: $failed programs cannot be built"
	exit "$((failed > 0))"
fi
left=$(wc -l <"$scratch/targets")
while read -r package target; do
	ms=$((seconds * 1000))
	if [ "$share" = all ]; then
		ms=$(((end - $(date +%s)) * 1000 / left))
		[ "$ms" -ge 500 ] || ms=500
	fi
	left=$((left - 1))
	# The fuzzer now and then reports its own deadline as a failure, on a busy machine
	# more often; such a report names no failing input and is worth another try.
	tries=3
	until fuzz_one "$package" "$target" "$ms"; do
		tries=$((tries - 1))
		if [ "$tries" -eq 0 ] || ! grep -q 'context deadline exceeded' "$log" || grep -q 'Failing input' "$log"; then
			tries=0
			break
		fi
	done
	if [ "$tries" -gt 0 ]; then
		passed=$((passed + 1))
		echo "ok   $package $target: $(sed -n 's/^fuzz: elapsed: \(.*\)/\1/p' "$log" | tail -n 1)"
	else
		failed=$((failed + 1))
		echo "FAIL $package $target"
		tail -n 40 "$log"
	fi
done <"$scratch/targets"
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
