#!/bin/sh
# The browser tests need chromium and a Chinese font. Debian has both; nothing is downloaded from anywhere else.
# Where they cannot be installed this says so and succeeds: the tests are then skipped, with the same words.
set -u

absent=""
command -v chromium >/dev/null 2>&1 || absent="chromium"
font=$(find /usr/share/fonts "${HOME:-/root}/.fonts" -iname '*CJK*' -print -quit 2>/dev/null)
[ -n "$font" ] || absent="$absent fonts-noto-cjk"
[ -n "$absent" ] || exit 0

give_up() {
    printf '\n*** %s\n*** Missing: %s. The browser tests WILL BE SKIPPED.\n*** As root: apt-get install %s\n\n' "$1" "$absent" "$absent" >&2
    exit 0
}

command -v apt-get >/dev/null 2>&1 || give_up "apt-get is not on this machine."
[ "$(id -u)" = 0 ] || give_up "Not root: nothing can be installed."
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # a list of packages
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $absent; } >/dev/null || give_up "apt-get failed."
