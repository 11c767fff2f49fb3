#!/usr/bin/env bash
# Make the cases and ask every peer again, each in a virtual environment of its own under build/conformance.
# run.sh [PEER...]; all peers without a name. PYTHON chooses the interpreter. A peer that fails does not stop the others; the exit status tells.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$here/../.." && pwd)/build/conformance
python=${PYTHON:-python3}

# The answers must not depend on hash order, on the locale, or on how many cores sum up a vector.
export PYTHONHASHSEED=0 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PIP_DISABLE_PIP_VERSION_CHECK=1

version_of() { "$1" -c 'import sys; print(sys.version)' 2>/dev/null; }

environment() { # PEER: its virtual environment, made anew if another interpreter made it
    local home=$build/$1
    if [ "$(version_of "$home/bin/python")" != "$(version_of "$python")" ]; then
        "$python" -m venv --clear "$home" || return
    fi
    "$home/bin/python" -m pip install --quiet --requirement "$here/peers/requirements-$1.txt" || return
    # Tools whose dependencies are huge or contradict each other, and are not needed by what is asked here.
    local alone=$here/peers/requirements-$1-nodeps.txt
    if [ -e "$alone" ]; then
        "$home/bin/python" -m pip install --quiet --no-deps --ignore-requires-python --requirement "$alone"
    fi
}

ask() { # PEER SCRIPT: its answers; tools that leave files behind leave them in build. A transcription needs no environment.
    if [ ! -e "$here/peers/requirements-$1.txt" ]; then
        "$python" "$here/peers/run_$2.py"
        return
    fi
    environment "$1" && (cd "$build/$1" && bin/python -W ignore "$here/peers/run_$2.py")
}

"$python" "$here/make_cases.py" && "$python" "$here/make_label_cases.py" && "$python" "$here/make_intent_cases.py" &&
    "$python" "$here/make_offpolicy_cases.py" || exit
    "$python" "$here/make_uplift_cases.py" && "$python" "$here/make_multilabel_cases.py" && "$python" "$here/make_factor_cases.py" || exit

failed=()
peers=$(cd "$here/peers" && printf '%s\n' run_*.py | sed -E 's/^run_(.*)\.py$/\1/')
for script in ${*:-$peers}; do
    echo "conformance: $script"
    # Several scripts of one tool share its environment.
    ask "$(sed -E 's/_(labels|fusion|weights|factors|chances)$//' <<< "$script")" "$script" || failed+=("$script")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "conformance: failed: ${failed[*]}" >&2
    exit 1
fi
