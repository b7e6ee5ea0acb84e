# shellcheck shell=sh
# Sourced by check.sh and test.sh: runs named steps, times each, goes on after a
# failure, and closes with one plain line.
#
#   step NAME COMMAND ...   run it; its output goes through
#   skip NAME REASON        count it as skipped
#   finish                  print the sums; exit 1 if any step failed

steps_passed=0
steps_failed=0
steps_skipped=0
steps_failures=
steps_start=$(date +%s)

step() {
	step_name=$1
	shift
	step_start=$(date +%s)
	printf '\n== %s\n' "$step_name"
	if "$@"; then
		steps_passed=$((steps_passed + 1))
		step_result=ok
	else
		steps_failed=$((steps_failed + 1))
		steps_failures="$steps_failures '$step_name'"
		step_result=FAILED
	fi
	printf -- '-- %s: %s in %s s\n' "$step_name" "$step_result" "$(($(date +%s) - step_start))"
}

skip() {
	steps_skipped=$((steps_skipped + 1))
	printf '\n== %s\n-- %s: skipped: %s\n' "$1" "$1" "$2"
}

finish() {
	printf '\nTook %s s.' "$(($(date +%s) - steps_start))"
	[ -z "$steps_failures" ] || printf ' Failed:%s.' "$steps_failures"
	printf '\nsteps: %s passed, %s failed, %s skipped\n' "$steps_passed" "$steps_failed" "$steps_skipped"
	[ "$steps_failed" -eq 0 ]
}
