#!/bin/sh
# Repeats the tests that kill, cut off and crash things, in random order and
# with fresh random cases each round, until a time is over (make torture).
#
#   torture.sh TIME   as 90s, 10m or 2h
#
# Such tests have Crash or Torture in their names; those that can run longer
# read LIMN_TORTURE, which holds TIME. Stops at the first failure.
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
	# shellcheck disable=SC2086 # race and packages are lists of words
	go test $race -count=1 -shuffle=on -timeout="$((seconds + 900))s" -run='Crash|Torture' $packages
	[ "$(date +%s)" -lt "$end" ] || break
done
echo "torture: $round passed, 0 failed"
