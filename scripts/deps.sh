#!/bin/sh
# Installs what the tests need besides Go, as far as that is missing.
#
#   deps.sh npm        the packages of web/, bench/peers/, examples/gateway/notes/ and below internal/transport/clients/
#                      (needs Node.js 20+)
#   deps.sh chromium   a Chromium to test in; prints its path on the last line
#   deps.sh postgres   a PostgreSQL to test on; prints its address on the last line
#
# Says what to install, and exits 1, where it can't do so itself.
set -eu
cd "$(dirname "$0")/.."

npm_packages() {
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		echo "Node.js and npm are missing: install Node.js 20 or newer (https://nodejs.org, or 'apt-get install nodejs npm')." >&2
		return 1
	fi
	if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; then
		echo "Node.js $(node --version) is too old: 20 or newer is needed." >&2
		return 1
	fi
	install_packages web
	install_packages internal/transport/clients
	install_packages internal/transport/clients/browser
	install_packages internal/transport/clients/mcp
	install_packages bench/peers
	install_packages examples/gateway/notes
}

install_packages() {
	# npm leaves this file behind when it is done.
	marker=$1/node_modules/.package-lock.json
	if [ -f "$marker" ] && [ -z "$(find "$1/package.json" "$1/package-lock.json" -newer "$marker")" ]; then
		return 0
	fi
	# No package's own install script runs: none is needed.
	install="npm ci --prefix $1 --ignore-scripts --no-audit --no-fund --loglevel=error"
	echo "Installing the npm packages of $1."
	if ! $install </dev/null >/dev/null; then
		echo "npm failed; trying once more." >&2
		$install </dev/null >/dev/null
	fi
	touch "$marker"
}

# The headless shell is Chromium without windows: pages take half the time in it.
find_chromium() {
	for name in "${LIMN_CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome \
		"/Applications/Chromium.app/Contents/MacOS/Chromium" \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		if [ -n "$name" ] && command -v "$name" 2>/dev/null; then
			return 0
		fi
	done
	return 1
}

# Not named chromium: command -v would find the function.
need_chromium() {
	if [ -n "${LIMN_CHROMIUM:-}" ] && ! command -v "$LIMN_CHROMIUM" >/dev/null; then
		echo "LIMN_CHROMIUM names $LIMN_CHROMIUM, which can't be run." >&2
		return 1
	fi
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null || command -v "${LIMN_CHROMIUM:-chromium-headless-shell}" >/dev/null; then
		find_chromium && return 0
		echo "Chromium is missing: install it ('sudo apt-get install chromium', 'brew install --cask chromium'), or name one in LIMN_CHROMIUM." >&2
		return 1
	fi
	for package in chromium-headless-shell chromium; do
		echo "Installing Debian's $package." >&2
		{
			apt-get update -qq || apt-get update -qq
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" fonts-dejavu-core
		} </dev/null >&2 || true
		find_chromium && return 0
	done
	return 1
}

# answers tells whether a PostgreSQL lets us in at this address.
answers() {
	command -v psql >/dev/null && psql "$1" -XAtqc 'SELECT 1' </dev/null >/dev/null 2>&1
}

need_postgres() {
	if [ -n "${LIMN_TEST_POSTGRES:-}" ]; then
		echo "$LIMN_TEST_POSTGRES" # the tests say so if it doesn't answer
		return 0
	fi
	usual='postgres://postgres@127.0.0.1:5432/test?sslmode=disable'
	if answers "$usual"; then
		echo "$usual"
		return 0
	fi
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "No PostgreSQL answers at $usual: start one there, or name one in LIMN_TEST_POSTGRES" >&2
		echo "(for example: docker run -d -p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust -e POSTGRES_DB=test postgres)." >&2
		return 1
	fi
	if ! command -v pg_lsclusters >/dev/null || [ -z "$(pg_lsclusters -h)" ]; then
		echo "Installing Debian's postgresql." >&2
		{
			apt-get update -qq || apt-get update -qq
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql
		} </dev/null >&2
	fi
	# shellcheck disable=SC2046 # version, name, port, status and more
	set -- $(pg_lsclusters -h | head -n 1)
	if [ "$4" = down ]; then
		pg_ctlcluster --skip-systemctl-redirect "$1" "$2" start >&2
	fi
	if answers "$usual"; then
		echo "$usual"
		return 0
	fi
	# One that asks for passwords: a user and a database of our own.
	own="postgres://limn_test:limn_test@127.0.0.1:$3/limn_test?sslmode=disable"
	if ! answers "$own"; then
		su postgres -c "psql -p $3 -Xq -v ON_ERROR_STOP=1" >&2 <<-'SQL'
			CREATE ROLE limn_test LOGIN PASSWORD 'limn_test';
			CREATE DATABASE limn_test OWNER limn_test;
		SQL
	fi
	answers "$own" || return 1
	echo "$own"
}

case "${1:-}" in
npm) npm_packages ;;
chromium) need_chromium ;;
postgres) need_postgres ;;
*)
	echo "usage: deps.sh npm|chromium|postgres" >&2
	exit 2
	;;
esac
