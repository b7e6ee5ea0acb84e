#!/bin/sh
# The long form of the tests that kill, cut off, fill up and crash things: once
# whole, then again, in another order and with fresh random cases, until a time is
# over (make torture). The figures they print are those of docs/reliability.md.
#
#   torture.sh TIME   as 90s, 10m or 2h; one round takes 20 to 60 minutes
#
# Such tests have Crash or Torture in their names; LIMN_TORTURE, which holds TIME,
# tells them to run long. They use PostgreSQL where there is one (scripts/deps.sh
# postgres), a small disk where they may mount one (Linux, root), and the published
# schemas where they are. Stops at the first failure.
set -eu
cd "$(dirname "$0")/.."

time=${1:-10m}
case "$time" in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*)
	echo "torture.sh: '$time' is no time such as 90s or 10m" >&2
	exit 2
	;;
esac
export LIMN_TORTURE="$time"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

packages=$(find . \( -name node_modules -o -name testdata -o -name bench -o -name '.?*' \) -prune \
	-o -name '*_test.go' -exec grep -lE '^func Test[A-Za-z0-9_]*(Crash|Torture)' {} + | sed 's|/[^/]*$||' | sort -u)
if [ -z "$packages" ]; then
	echo "torture.sh: no test has Crash or Torture in its name" >&2
	exit 1
fi

race=
if command -v cc >/dev/null; then race=-race; fi
end=$(($(date +%s) + seconds))
round=0
while :; do
	round=$((round + 1))
	echo "round $round"
	for package in $packages; do
		# In cmd/limn only the clients would have the race detector, and datasync
		# has no goroutines: both would be slow for nothing.
		detector=$race
		case $package in ./cmd/limn | ./datasync) detector= ;; esac
		# shellcheck disable=SC2086 # detector is a word or none
		go test $detector -v -count=1 -parallel=2 -shuffle=on -timeout="$((seconds + 7200))s" -run='Crash|Torture' "$package" >"$log" 2>&1 || {
			grep -v '^=== ' "$log" | tail -n 100
			exit 1
		}
		grep -E '^(--- |ok )|_test\.go:[0-9]+: .*(kills|clients|steps|histories)' "$log" || true
	done
	[ "$(date +%s)" -lt "$end" ] || break
done
echo "torture: $round passed, 0 failed"
