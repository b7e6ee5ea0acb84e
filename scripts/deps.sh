#!/bin/sh
# Installs what the tests need besides Go, as far as that is missing.
#
#   deps.sh npm        the packages of web/package-lock.json (needs Node.js 20+)
#   deps.sh chromium   a Chromium to test in; prints its path on the last line
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
	# npm leaves this file behind when it is done.
	marker=web/node_modules/.package-lock.json
	if [ -f "$marker" ] && [ -z "$(find web/package.json web/package-lock.json -newer "$marker")" ]; then
		return 0
	fi
	install="npm ci --prefix web --no-audit --no-fund"
	echo "$install"
	if ! $install </dev/null; then
		echo "npm failed; trying once more." >&2
		$install </dev/null
	fi
	touch "$marker"
}

find_chromium() {
	for name in "${LIMN_CHROMIUM:-}" chromium chromium-browser google-chrome \
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
	if find_chromium; then
		return 0
	fi
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "Chromium is missing: install it ('sudo apt-get install chromium', 'brew install --cask chromium'), or name one in LIMN_CHROMIUM." >&2
		return 1
	fi
	echo "Installing Debian's chromium." >&2
	{
		apt-get update -qq || apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
	} </dev/null >&2
	find_chromium
}

case "${1:-}" in
npm) npm_packages ;;
chromium) need_chromium ;;
*)
	echo "usage: deps.sh npm|chromium" >&2
	exit 2
	;;
esac
