"""Write what ndeval itself prints for the cases with subtopics, into `ndeval/CASE.OPTIONS.out`.

`make_ndeval_outputs.py PROGRAM`, where PROGRAM is ndeval.c (version 4.5, which comes with pyndeval 0.0.8's source)
compiled: cc -O2 -o ndeval ndeval.c -lm.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from test_ndeval_outputs import CASES, OPTIONS, OUTPUTS


def main(program: str) -> None:
    """One file for each case and set of options."""
    OUTPUTS.mkdir(exist_ok=True)
    for qrels in sorted(CASES.glob("*.qrels")):
        for name, options in OPTIONS.items():
            words = [program, *options.split(), str(qrels), str(qrels.with_suffix(".run"))]
            done = subprocess.run(words, check=True, capture_output=True)
            Path(OUTPUTS / f"{qrels.stem}.{name}.out").write_bytes(done.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
