# shellcheck shell=sh
# Sourced by check.sh and test.sh: runs named steps, times each, goes on after a
# failure, and closes with one plain line.
#
#   step NAME COMMAND ...   run it; its output goes through
#   lane NAME COMMAND       start a command that runs steps of its own, beside those that
#                           follow
#   join NAME               wait for it; print and count its steps
#   skip NAME REASON        count it as skipped
#   finish                  print a table of the times and the sums; exit 1 if any
#                           step failed
#
# Files that steps leave for later ones go into $steps_dir, removed at the end.

steps_passed=0
steps_failed=0
steps_skipped=0
steps_failures=
steps_table=
steps_start=$(date +%s)
steps_lanes=
steps_lane=
steps_dir=$(mktemp -d)
trap 'for lane in $steps_lanes; do end "$lane"; done; rm -rf "$steps_dir"' EXIT
trap 'exit 130' INT TERM

# end stops a process and those that it started.
end() {
	# shellcheck disable=SC2046 # the children are words
	set -- "$1" $(ps -e -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }')
	kill -TERM "$1" 2>/dev/null || true
	shift
	for child; do
		end "$child"
	done
}

# cpu sets steps_cpu to the seconds of processor time that the commands up to now
# have taken. times(1) counts those of this shell, so it can't run in a pipe; each lane
# has a file of its own for it.
cpu() {
	times >"$steps_dir/times$steps_lane"
	steps_cpu=$(awk -F '[ ms]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$steps_dir/times$steps_lane")
}

step() {
	step_name=$1
	shift
	step_start=$(date +%s)
	cpu
	step_cpu=$steps_cpu
	printf '\n== %s\n' "$step_name"
	if "$@"; then
		steps_passed=$((steps_passed + 1))
		step_result=ok
	else
		steps_failed=$((steps_failed + 1))
		steps_failures="$steps_failures '$step_name'"
		step_result=FAILED
	fi
	step_took=$(($(date +%s) - step_start))
	cpu
	step_cpu=$((steps_cpu - step_cpu))
	steps_table="$steps_table$(printf '%6s %6s  %-6s  %s' "$step_took" "$step_cpu" "$step_result" "$step_name")
"
	printf -- '-- %s: %s in %s s\n' "$step_name" "$step_result" "$step_took"
}

lane() {
	(
		trap - EXIT
		steps_lane=.$1 steps_passed=0 steps_failed=0 steps_skipped=0 steps_failures= steps_table=
		"$2"
		printf '%s' "$steps_table" >"$steps_dir/$1.table"
		cat >"$steps_dir/$1.sums" <<-SUMS
			steps_passed=\$((steps_passed + $steps_passed))
			steps_failed=\$((steps_failed + $steps_failed))
			steps_skipped=\$((steps_skipped + $steps_skipped))
			steps_failures="\$steps_failures$steps_failures"
		SUMS
	) >"$steps_dir/$1.output" 2>&1 &
	steps_lanes="$steps_lanes $!"
	eval "steps_lane_$1=$!"
}

join() {
	eval "wait \"\$steps_lane_$1\"" || true # its steps tell
	cat "$steps_dir/$1.output"
	if [ -f "$steps_dir/$1.sums" ]; then
		. "$steps_dir/$1.sums"
		steps_table="$steps_table$(cat "$steps_dir/$1.table")
"
	else
		steps_failed=$((steps_failed + 1))
		steps_failures="$steps_failures '$1'"
	fi
}

skip() {
	steps_skipped=$((steps_skipped + 1))
	printf '\n== %s\n-- %s: skipped: %s\n' "$1" "$1" "$2"
}

finish() {
	printf '\n%6s %6s  %-6s  %s\n%s' seconds cpu result step "$steps_table"
	printf '\nTook %s s.' "$(($(date +%s) - steps_start))"
	[ -z "$steps_failures" ] || printf ' Failed:%s.' "$steps_failures"
	printf '\nsteps: %s passed, %s failed, %s skipped\n' "$steps_passed" "$steps_failed" "$steps_skipped"
	[ "$steps_failed" -eq 0 ]
}
