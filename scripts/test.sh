#!/bin/sh
# Everything CI runs (make test): on two cores about 20 minutes with empty caches.
#
# What waits for browsers and downloads runs beside what computes.
#
# Every test runs once in full. The race detector runs the packages in which
# goroutines meet, with -short; those that have no shorter form and measure
# nothing are not run again without it. go vet runs once, so go test need not.
#
# LIMN_REQUIRE=1 (set here unless you set it to 0) tells tests that would skip
# for want of Node.js, Chromium or PostgreSQL to fail instead.
# LIMN_CHROMIUM names the browser, LIMN_TEST_POSTGRES the database server, in
# which each test has a schema of its own; FUZZTIME is the time for all fuzz targets.
set -eu
cd "$(dirname "$0")/.."
. scripts/steps.sh

LIMN_REQUIRE=${LIMN_REQUIRE:-1}
export LIMN_REQUIRE

# Garbage takes processor time: with Go's defaults a sixth of what compilers take, and up to a
# third of what tests do.
GOGC=${GOGC:-400}
GOMEMLIMIT=${GOMEMLIMIT:-2GiB}
export GOGC GOMEMLIMIT

# No debugger reads these programs: what is written for one takes a seventh of compiling.
GOFLAGS="$(go env GOFLAGS) -gcflags=all=-dwarf=false"
export GOFLAGS

# tools installs a browser and a database server, which takes downloads.
tools() {
	tool chromium chromium
	tool PostgreSQL postgres
}

tool() {
	if [ "$LIMN_REQUIRE" = 1 ] || sh scripts/deps.sh "$2" >/dev/null 2>&1; then
		step "$1" sh scripts/deps.sh "$2"
	else
		skip "$1" "none found, and LIMN_REQUIRE is $LIMN_REQUIRE"
	fi
}

# found prints what deps.sh prints of one that is installed.
found() {
	sh scripts/deps.sh "$1" 2>/dev/null | tail -n 1
}

# classify sorts the packages with tests into two lists; those that take longest come
# first. raced has those that start goroutines or guard against those of others, or
# whose tests do. plain has those that are to run without the race
# detector: the rest, and those of raced that run less or measure otherwise with it or
# with -short. Without a C compiler there is no race detector: raced is empty.
classify() {
	raced=
	plain=
	longest="./cmd/limn ./internal/session ./internal/transport/web ./internal/driver/postgres ./compile ./a2ui"
	# shellcheck disable=SC2086 # longest is a list of words
	for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}={{.Dir}}{{end}}' $longest ./...); do
		dir=${package#*=}
		package=${package%%=*}
		if "$detector" && grep -qE "$concurrent" "$dir"/*.go; then
			raced="$raced $package"
			grep -qE "$differs" "$dir"/*_test.go || continue
		fi
		case $package in
		*/cmd/limn) ;; # program has these
		*) plain="$plain $package" ;;
		esac
	done
	[ -n "$plain" ]
}

# A cache in a sync.Map or sync.Once alone is no reason: goroutines meet nowhere else.
concurrent='sync\.(Mutex|RWMutex|WaitGroup|Pool|Cond)|"sync/atomic"$|^[[:space:]]+go [A-Za-z.]+\(|make\(chan '
differs='testing\.(Short|AllocsPerRun|Benchmark)\(|ReadMemStats|NumGoroutine|go:build .*race'

# modules compiles the modules of others, with the race detector and without.
modules() {
	others=$(go list -deps -test -f '{{with .Module}}{{if not .Main}}{{$.ImportPath}}{{end}}{{end}}' ./...) || return 1
	# shellcheck disable=SC2086 # others is a list of words
	go build $others || return 1
	if "$detector"; then
		# shellcheck disable=SC2086
		GOFLAGS="$raceflags" go build -race $others
	fi
}

# page builds the page, which the programs have in them.
page() {
	step "npm packages" sh scripts/deps.sh npm
	step "web build" sh scripts/web.sh
}

# units are the tests of the page that need no server.
units() {
	step "web types" npm run --silent --prefix web check
	step "web components" npm run --silent --prefix web unit
	if [ -n "${LIMN_CHROMIUM:-}" ]; then
		step "shared drafts" npm run --silent --prefix web drafts
	fi
}

fuzz_programs=$steps_dir/fuzz

# later has the lane it runs in compute at low priority, while others wait.
later() {
	renice -n 10 -p "$(exec sh -c 'echo $PPID')" >/dev/null || true
}

# decisions needs no page, so it begins while that is downloaded and built.
decisions() {
	later
	step "a million decisions" env LIMN_STATES=1000000 go test -vet=off -count=1 -timeout=20m -run=GeneratedStates ./internal/route
}

# rest is what computes and has no place in the order of the others.
rest() {
	later
	step "bench, shortest" benchmarks
	step audit sh scripts/audit.sh
	step "linux/386" elsewhere
	step "fuzz programs" sh scripts/fuzz.sh build "$fuzz_programs"
	step "one processor" root_tests Determin 1
	step "eight processors" root_tests Determin 8
}

# pages runs the browser scenarios, which wait most of the time.
pages() {
	step browser scenarios
}

# scenarios prints every scenario: one may have needed a second try.
scenarios() {
	scenarios=0
	go test -v -vet=off -timeout=20m -run='^Test(Browser|Pages)$' ./cmd/limn >"$steps_dir/scenarios" || scenarios=1
	grep -v '^ *=== ' "$steps_dir/scenarios" || true
	return $scenarios
}

# jobs is one more than there are processors: the tests of the drivers wait for servers and disks
# most of the time, and other packages work meanwhile.
jobs=$(($(getconf _NPROCESSORS_ONLN) + 1))

# steps has the tests that are steps of their own below.
steps='^Test(Browser|Pages|Decoders|Determinism)$'

without_detector() {
	# shellcheck disable=SC2086 # plain is a list of words
	go test -p="$jobs" -vet=off -ldflags='-s -w' -shuffle=on -timeout=15m -skip="$steps" $plain
}

# program runs the tests of the program, which take longest and wait most of the time.
program() {
	step "tests of the program" go test -vet=off -ldflags='-s -w' -shuffle=on -timeout=15m -skip="$steps" ./cmd/limn
}

# raceflags leaves two packages alone. SQLite, translated from C, starts no goroutine, and
# locks by sync and modernc.org/libc, so that the detector still sees who waits for whom; with
# it, tests of SQLite take four times as long. jsonschema only judges what tests made. Nor is
# unsafe code checked on the way: nearly all of it is that of others. In GOFLAGS it is for the
# programs that tests build, too.
raceflags="$(go env GOFLAGS) '-gcflags=all=-dwarf=false -d=checkptr=0'"
for package in modernc.org/sqlite/lib github.com/santhosh-tekuri/jsonschema/v6; do
	raceflags="$raceflags '-gcflags=$package=-dwarf=false -race=false'"
done

# Each program with the detector sleeps a second before it ends, unless GORACE says not to.
with_detector() {
	# shellcheck disable=SC2086 # raced is a list of words
	GORACE=atexit_sleep_ms=0 GOFLAGS="$raceflags" go test -p="$jobs" -vet=off -ldflags='-s -w' -race -short -shuffle=on -timeout=15m $raced
}

# benchmarks runs every benchmark once with the smallest sizes: that they run, not
# how fast. Their tests hold what they measure against the libraries of others.
benchmarks() {
	(cd bench && go vet . && go test -vet=off . && go run . -short)
}

# elsewhere checks that the code fits 32-bit machines, and that results there
# are the same bytes, as far as this machine can run such programs.
# Modules are not optimized: they are compiled for this step alone. The standard library
# is: its maps crash on 386 without (Go 1.26.8).
elsewhere() {
	go -C tools build -o "$steps_dir/typecheck" ./typecheck || return 1
	GOOS=linux GOARCH=386 CGO_ENABLED=0 "$steps_dir/typecheck" ./... || return 1
	packages=$(find . \( -name node_modules -o -name testdata -o -name bench -o -name '.?*' \) -prune \
		-o -name '*_test.go' -exec grep -lE '^func Test[A-Za-z0-9_]*Determin' {} + | sed 's|/[^/]*$||' | sort -u)
	if [ -z "$packages" ]; then
		echo "No test has Determin in its name: nothing to run on 386."
	elif ! runs386; then
		echo "This machine runs no linux/386 programs: types only."
	else
		# shellcheck disable=SC2086 # packages is a list of words
		GOOS=linux GOARCH=386 CGO_ENABLED=0 go test -vet=off -gcflags='all=-N -l' -gcflags=std= -run=Determin $packages
	fi
}

runs386() {
	printf 'package main\n\nfunc main() {}\n' >"$steps_dir/main.go"
	GOOS=linux GOARCH=386 CGO_ENABLED=0 go run "$steps_dir/main.go" >/dev/null 2>&1
}

# root_program builds the tests of the root package; root_tests runs those with these
# names, on so many processors if a second argument tells.
root_program() {
	go test -vet=off -c -ldflags='-s -w' -o "$steps_dir/root.test" .
}

root_tests() {
	env ${2:+GOMAXPROCS="$2"} "$steps_dir/root.test" -test.timeout=10m -test.run="$1"
}

# bounded runs the table of hostile inputs (docs/security.md) where a process gets no
# more than 4 GiB of addresses: what takes more ends with "out of memory".
bounded() {
	if [ "$(uname -s)" != Linux ]; then
		echo "No Linux: the table is not measured."
		return 0
	fi
	(ulimit -v 4194304 && unset GOGC GOMEMLIMIT && root_tests '^TestDecoders$')
}

if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; then
	detector=true
else
	detector=false
fi
node=false
if [ "$LIMN_REQUIRE" = 1 ] || command -v node >/dev/null; then
	node=true
	lane page page
else
	skip "web" "no Node.js, and LIMN_REQUIRE is $LIMN_REQUIRE"
fi
lane tools tools
step modules modules
join tools
LIMN_CHROMIUM=$(found chromium)
LIMN_TEST_POSTGRES=$(found postgres)
export LIMN_CHROMIUM LIMN_TEST_POSTGRES
lane decisions decisions
if "$node"; then
	join page
	lane units units
fi
step "go vet" go vet ./...
if "$node"; then
	join units
fi
step "lists of packages" classify
step "tests of the root" root_program
lane browser pages
lane program program
lane rest rest
step "go test" without_detector
step "hostile inputs within 4 GiB" bounded
if "$detector"; then
	step "go test -race" with_detector
else
	skip "go test -race" "no C compiler: install gcc to have the race detector"
fi
join program
join browser
join decisions
join rest
step fuzz env FUZZPROGRAMS="$fuzz_programs" sh scripts/fuzz.sh all "${FUZZTIME:-45s}"
finish
