#!/usr/bin/env bash
# The wheel of Linux on aarch64, cross-compiled, and run under qemu: the demo, tests (the arguments), and documents of every metric, which must be
# those of this machine, byte for byte. Debian's Python of that architecture and all else lies below build/aarch64; no program of it is configured or
# run without qemu. PYTHON is the interpreter here, with the tools of `make test`; EXAMPLES how many each property test draws; QEMU_CPU which processor
# is emulated. Emulated threads have the memory order of this machine: races that only weaker orders show are not found.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=$(realpath --no-symlinks "${PYTHON:-.venv/bin/python}")
WORK=$PWD/build/aarch64
ROOT=$WORK/root ENVIRONMENT=$WORK/venv
SITE=$ENVIRONMENT/lib/python3.11/site-packages
export QEMU_CPU=${QEMU_CPU:-neoverse-n1}  # of 2019: none of the extensions that `max` has

give_up() {
  printf '\n*** %s\n*** Missing: %s. aarch64 WAS NOT BUILT AND NOT TESTED.\n*** As root, on Debian or Ubuntu: apt-get install %s\n\n' "$1" "$absent" "$absent" >&2
  exit 1
}

absent=""
command -v qemu-aarch64-static >/dev/null || absent="qemu-user-static"
command -v aarch64-linux-gnu-g++ >/dev/null || absent="$absent g++-aarch64-linux-gnu"
command -v mmdebstrap >/dev/null || absent="$absent mmdebstrap"
if [ -n "$absent" ]; then
  command -v apt-get >/dev/null || give_up "apt-get is not on this machine."
  [ "$(id -u)" = 0 ] || give_up "Not root: nothing can be installed."
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086  # a list of packages
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $absent; } >/dev/null || give_up "apt-get failed."
fi

# Debian 12 of the other architecture, unpacked and nothing more: Python with its headers, and the libraries of C and C++.
if [ ! -e "$ROOT/ready" ]; then
  rm -rf "$ROOT"
  mkdir -p "$WORK"
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include=python3.11,libpython3.11-dev,libstdc++6,tzdata bookworm "$ROOT"
  rm -rf "${ROOT:?}"/{tmp,var,home,root,proc,sys,dev,run}  # qemu looks for every file here first
  touch "$ROOT/ready"
fi

# An environment whose Python starts itself under qemu, also from tests: what it takes for itself is this script.
mkdir -p "$ENVIRONMENT/bin" "$SITE"
printf 'home = %s\ninclude-system-site-packages = false\n' "$ROOT/usr/bin" >"$ENVIRONMENT/pyvenv.cfg"
printf '#!/bin/sh\nexec qemu-aarch64-static -L %s -0 "$0" %s "$@"\n' "'$ROOT'" "'$ROOT/usr/bin/python3.11'" >"$ENVIRONMENT/bin/python"
chmod +x "$ENVIRONMENT/bin/python"
emulated() { "$ENVIRONMENT/bin/python" "$@"; }
install() {  # wheels of the other machine, with this machine's pip, and its versions of what computes
  local platforms=(linux_aarch64 manylinux2014_aarch64) minor
  for minor in $(seq 17 36); do platforms+=("manylinux_2_${minor}_aarch64"); done
  "$PYTHON" -m pip install --quiet --no-compile --upgrade --target "$SITE" --only-binary :all: --python-version 3.11 --implementation cp \
    --constraint "$WORK/versions.txt" "${platforms[@]/#/--platform=}" "$@"
}
"$PYTHON" -m pip freeze | grep -iE '^(numpy|scipy|pyarrow)==' >"$WORK/versions.txt"
fresh=""
if [ ! -e "$SITE/ready" ] || [ pyproject.toml -nt "$SITE/ready" ]; then
  fresh=yes
  rm -rf "$SITE"
  install --group emulated
fi

echo "building the wheel of aarch64"
rm -rf "$WORK/wheel"
PATH="$(dirname "$PYTHON"):$PATH" PINGCE_REQUIRE_NATIVE=1 CXXFLAGS="-idirafter $ROOT/usr/include" emulated -m pip wheel --quiet --no-build-isolation --no-deps \
  --wheel-dir "$WORK/wheel" -C build-dir="$WORK/cmake" -C cmake.define.PINGCE_STRICT=ON -C cmake.define.CMAKE_SYSTEM_NAME=Linux \
  -C cmake.define.CMAKE_SYSTEM_PROCESSOR=aarch64 -C cmake.define.CMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ .
if [ -n "$fresh" ]; then install "$WORK"/wheel/*.whl; else install --no-deps "$WORK"/wheel/*.whl; fi
touch "$SITE/ready"

export PINGCE_REQUIRE_NATIVE=1
emulated -m pingce doctor
emulated -m pingce demo >"$WORK/demo.txt"
"$PYTHON" -m pingce demo | cmp - "$WORK/demo.txt"
echo "the demo prints what it prints here"

rm -rf "$WORK/documents"
"$PYTHON" -m tests.platforms write "$WORK/documents/here"
emulated -m tests.platforms write "$WORK/documents/aarch64"
QEMU_CPU=max emulated -m tests.platforms write "$WORK/documents/aarch64-max"
for other in aarch64 aarch64-max; do "$PYTHON" -m tests.platforms compare "$WORK/documents/here" "$WORK/documents/$other"; done

[ $# = 0 ] || HYPOTHESIS_PROFILE=thorough PINGCE_TEST_EXAMPLES=${EXAMPLES:-10} PINGCE_TEST_NATIVE_ONLY=1 emulated -m pytest -q -n 2 \
  -m "not deep" -p no:cacheprovider --hypothesis-seed=16 "$@"
