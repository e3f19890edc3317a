#!/usr/bin/env bash
# Makes sure that the tests find a C compiler (for the race detector) and a
# browser. Installs what is missing where it may: on Debian and its like, as
# root. Elsewhere it names the command to type.
set -euo pipefail

compiler() { command -v "${CC:-gcc}" >/dev/null || command -v clang >/dev/null; }

browser() {
	local program
	for program in chromium chromium-browser google-chrome google-chrome-stable; do
		command -v $program >/dev/null && return
	done
	[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] || [ -x /Applications/Chromium.app/Contents/MacOS/Chromium ]
}

missing=()
compiler || missing+=(gcc libc6-dev)
browser || missing+=(chromium)
[ ${#missing[@]} -eq 0 ] && exit

if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
	echo "installing ${missing[*]} for the tests ..." >&2
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 || true
	compiler && browser && exit
fi
echo "the tests need ${missing[*]}; install them, for example:" >&2
echo "  sudo apt-get install ${missing[*]}     sudo dnf install gcc chromium     brew install --cask chromium" >&2
exit 1
