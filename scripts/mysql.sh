#!/usr/bin/env bash
# Prints the path of a MySQL (or MariaDB) server program on standard output,
# getting one first where there is none. Progress and advice go to standard error.
#
#   DB=mysql    (default) MySQL; MariaDB only where MySQL can't be had
#   DB=mariadb  MariaDB and nothing else
#
# Looked for: the PATH and the usual folders, then what an earlier run fetched,
# then the distribution's server package (Debian, Ubuntu and their like). Of a
# package only the files are taken, into a folder of our own: no root, no system
# service, nothing changed on the machine. Debian's releases carry MariaDB only,
# so for MySQL its unstable suite is read from the same archive, with all the
# libraries the server needs, and run through that folder's own loader.
#
# A Docker engine is not asked: who has one has docker compose, which needs no
# server here at all.
#
# Fetched once for all clones: ${XDG_CACHE_HOME:-~/.cache}/onceshop.
set -euo pipefail

want=${DB:-mysql}
cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME}/.cache}/onceshop

say() { printf '%s\n' "$*" >&2; }

main() {
	case $want in
	mysql) installed mysql || fetched mysql || instead || advise ;;
	mariadb) installed mariadb || fetched mariadb || advise ;;
	*) say "DB=$want: want mysql or mariadb" && return 2 ;;
	esac
}

instead() {
	say "using MariaDB instead"
	installed mariadb || fetched mariadb
}

# installed KIND: a server of that kind on this machine. The name proves
# nothing: distributions link mysqld to mariadbd.
installed() {
	local name dir program kind folders
	IFS=: read -r -a folders <<<"$PATH:/usr/local/sbin:/usr/sbin:/usr/libexec:/usr/local/mysql/bin:\
/opt/homebrew/opt/mysql/bin:/opt/homebrew/opt/mariadb/bin:/usr/local/opt/mysql/bin"
	for name in mysqld mariadbd; do
		for dir in "${folders[@]}"; do
			program=$dir/$name
			[ -x "$program" ] || continue
			kind=mysql
			case $("$program" --no-defaults --version 2>/dev/null || true) in
			*MariaDB*) kind=mariadb ;;
			'') continue ;;
			esac
			if [ "$kind" = "$1" ]; then
				unconfined "$program"
				return
			fi
		done
	done
	return 1
}

# unconfined PROGRAM: where AppArmor holds the packaged server to /var/lib/mysql,
# name a wrapper that starts the same program through the loader.
unconfined() {
	local loader='' wrapped=$cache/installed-${1##*/}
	if [ -e /etc/apparmor.d/usr.sbin.mysqld ]; then
		loader=$(ldd "$1" 2>/dev/null | awk '$1 ~ /^\/.*ld-linux/ { print $1 }')
	fi
	if [ -z "$loader" ]; then
		printf '%s\n' "$1"
		return
	fi
	mkdir -p "$cache"
	wrapper "$wrapped" "exec \"$loader\" \"$1\" --no-defaults"
	printf '%s\n' "$wrapped"
}

# wrapper FILE COMMAND: a program that runs COMMAND with its own arguments
# added. A leading --no-defaults is taken off: the server wants it first.
wrapper() {
	printf '#!/bin/sh\n[ "$1" = --no-defaults ] && shift\n%s "$@"\n' "$2" >"$1.$$"
	chmod 755 "$1.$$"
	mv -f "$1.$$" "$1"
}

# fetched KIND: one that an earlier run has fetched, or fetch it now. Only one
# run fetches; the folder appears whole or not at all.
fetched() {
	local folder=$cache/$1
	if [ ! -x "$folder/server" ]; then
		for tool in apt-get dpkg flock; do
			command -v $tool >/dev/null || return 1
		done
		mkdir -p "$cache"
		(
			flock 9
			[ -x "$folder/server" ] || fetch "$1" "$folder"
		) 9>"$cache/lock" || return 1
	fi
	printf '%s\n' "$folder/server"
}

# fetch KIND FOLDER
fetch() {
	local work pattern=mysql-server-core
	[ "$1" = mariadb ] && pattern=mariadb-server-core
	say "fetching $pattern into $2 (once, about 60 MB) ..."
	rm -rf "$2".new.*
	work=$2.new.$$
	mkdir -p "$work"
	if package "$1" "$pattern" "$work" && unpack "$work"; then
		rm -rf "$work/apt" "$2"
		mv "$work" "$2"
		say "done: $("$2/server" --no-defaults --version)"
		return 0
	fi
	rm -rf "$work"
	say "could not fetch $pattern from the distribution's archive"
	return 1
}

# package KIND PATTERN WORK: downloads the newest package of that name and all it
# depends on, even what the machine has: lists, cache and status are our own.
package() {
	local source
	sources "$1" | while read -r source; do
		rm -rf "$3/apt"
		mkdir -p "$3/apt/lists/partial" "$3/apt/cache/archives/partial"
		: >"$3/apt/status"
		if [ "$source" != own ]; then
			printf '%s\n' "$source" >"$3/apt/sources.list"
		fi
		if apt "$3" update && download "$2" "$3"; then
			echo ok
		fi </dev/null
		[ -e "$3/apt/complete" ] && break
	done >/dev/null
	[ -e "$3/apt/complete" ]
}

download() {
	local name
	name=$(apt_cache "$2" pkgnames "$1" | grep -E "^$1(-[0-9.]+)?$" | sort -V | tail -n 1) || return 1
	apt "$2" install -y --download-only --no-install-recommends "$name" && touch "$2/apt/complete"
}

# sources KIND: what to read, best first: "own" for the machine's own sources,
# or a line of a sources list. The archive's address is the machine's own.
sources() {
	local id codename uri key=/usr/share/keyrings/debian-archive-keyring.gpg
	id=$(. /etc/os-release && echo "${ID:-}")
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	if [ "$1" = mysql ] && [ "$id" = debian ] && [ -n "$codename" ]; then
		mkdir -p "$cache/nothing/partial"
		apt-get -o Dir::State::lists="$cache/nothing" update --print-uris 2>/dev/null |
			sed -n "s#^'\([^']*\)/dists/$codename/main/binary-.*#\1#p" | sort -u |
			while read -r uri; do
				if [ -e $key ]; then
					printf 'deb [signed-by=%s] %s sid main\n' "$key" "$uri"
				else
					printf 'deb %s sid main\n' "$uri"
				fi
			done
		rm -rf "$cache/nothing"
		return
	fi
	echo own
}

apt() {
	local work=$1
	shift
	apt_options "$work"
	DEBIAN_FRONTEND=noninteractive apt-get -qq "${options[@]}" "$@" >&2
}

apt_cache() {
	local work=$1
	shift
	apt_options "$work"
	apt-cache "${options[@]}" "$@"
}

apt_options() {
	options=(
		-o Dir::State="$1/apt" -o Dir::State::lists="$1/apt/lists" -o Dir::State::status="$1/apt/status"
		-o Dir::Cache="$1/apt/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3
		-o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
	)
	if [ -e "$1/apt/sources.list" ]; then
		options+=(-o Dir::Etc::sourcelist="$1/apt/sources.list" -o Dir::Etc::sourceparts=-)
	fi
}

# unpack WORK: the packages' files and a wrapper that runs the server among them.
# Perl and its like are for the packages' other tools.
unpack() {
	local deb loader libs program
	for deb in "$1"/apt/cache/archives/*.deb; do
		case ${deb##*/} in
		perl* | libperl* | gcc-*-base* | adduser* | passwd* | debconf*) ;;
		*) dpkg -x "$deb" "$1" || return 1 ;;
		esac
	done
	program=$(cd "$1" && ls usr/sbin/mysqld usr/sbin/mariadbd 2>/dev/null | tail -n 1)
	loader=$(cd "$1" && ls -d usr/lib64/ld-linux*.so.* lib64/ld-linux*.so.* usr/lib/*/ld-linux*.so.* \
		lib/*/ld-linux*.so.* usr/lib/ld-linux*.so.* lib/ld-linux*.so.* 2>/dev/null | head -n 1)
	[ -n "$program" ] && [ -n "$loader" ] || return 1
	libs=$(cd "$1" && for dir in usr/lib/*-linux-* lib/*-linux-* usr/lib/mysql/private; do
		[ -d "$dir" ] && printf '%s' "\$here/$dir:"
	done)
	local share=usr/share/mysql plugins=usr/lib/mysql/plugin
	wrapper "$1/server" "here=\$(dirname \"\$(readlink -f \"\$0\")\")
exec \"\$here/$loader\" --library-path \"${libs%:}\" \"\$here/$program\" --no-defaults \\
	--lc-messages-dir=\"\$here/$share\" --plugin-dir=\"\$here/$plugins\""
	"$1/server" --version >/dev/null
}

advise() {
	local install="install MySQL 8.4 or newer (or MariaDB 10.11 or newer) with your system's package manager"
	if command -v apt-get >/dev/null; then
		install="sudo apt-get install mariadb-server-core     (or mysql-server-core-8.0 on Ubuntu)"
	elif command -v dnf >/dev/null; then
		install="sudo dnf install mysql-server     (or mariadb-server)"
	elif command -v brew >/dev/null; then
		install="brew install mysql"
	fi
	say "no $want server found, and none could be fetched. One of these helps:"
	say "  $install"
	say "  docker compose up -d db     and name it: SHOP_DATABASE_URL=mysql://user:password@127.0.0.1:3306/shop"
	say "  SHOP_DATABASE_URL=mysql://user:password@host:3306/database     (tests: SHOP_TEST_DATABASE_URL)"
	return 1
}

main
