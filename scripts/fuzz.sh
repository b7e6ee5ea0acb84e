#!/bin/sh
# Runs every fuzz target in turn.
#
#   fuzz.sh TIME [LIMIT [NAMES]]   TIME for each target, as 3s or 10m; after LIMIT
#                                  seconds, if not 0, no further package is started;
#                                  NAMES is a regular expression: FuzzAdmit|FuzzLoad
#
# A failing input is kept by `go test` under the package's testdata/fuzz: commit
# it with the fix. The last line is "fuzz: N passed, N failed, N skipped".
set -eu
cd "$(dirname "$0")/.."

time=${1:-10s}
limit=${2:-0}
names=${3:-Fuzz[A-Za-z0-9_]*}
case "$time" in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*)
	echo "fuzz.sh: '$time' is no time such as 3s or 10m" >&2
	exit 2
	;;
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

# fuzz_one PACKAGE TARGET runs the package's instrumented test binary where
# `go test` would run it, with the inputs that `go test` would keep.
fuzz_one() {
	(
		cd "$1"
		# shellcheck disable=SC2086 # guard is several words, or none
		exec $guard "$scratch/fuzz.test" -test.run='^$' -test.fuzz="^$2\$" -test.fuzztime="$time" \
			-test.fuzzminimizetime=10s -test.fuzzcachedir="$(go env GOCACHE)/fuzz/$(go list .)"
	) >"$log" 2>&1
}

packages=$(find . \( -name node_modules -o -name testdata -o -name bench -o -name '.?*' \) -prune \
	-o -name '*_test.go' -exec grep -lE "^func ($names)\\(" {} + | sed 's|/[^/]*$||' | sort -u)

start=$(date +%s)
passed=0
failed=0
skipped=0
for package in $packages; do
	if [ "$limit" -gt 0 ] && [ $(($(date +%s) - start)) -ge "$limit" ]; then
		echo "skipped $package: $limit s are over"
		skipped=$((skipped + 1))
		continue
	fi
	# Built once for all targets of the package: linking takes longer than a
	# short run.
	if ! go test -c -fuzz=. -o "$scratch/fuzz.test" "$package"; then
		failed=$((failed + 1))
		continue
	fi
	for target in $("$scratch/fuzz.test" -test.list='^Fuzz' | grep -xE "$names"); do
		# The fuzzer now and then reports its own deadline as a failure; such a
		# report names no failing input and is worth one more try.
		if fuzz_one "$package" "$target" ||
			{ grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log" && fuzz_one "$package" "$target"; }; then
			passed=$((passed + 1))
			echo "ok   $package $target: $(sed -n 's/^fuzz: elapsed: \(.*\)/\1/p' "$log" | tail -n 1)"
		else
			failed=$((failed + 1))
			echo "FAIL $package $target"
			tail -n 40 "$log"
		fi
	done
done
echo "fuzz: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
