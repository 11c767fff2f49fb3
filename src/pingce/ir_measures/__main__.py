"""Runs a Python program, or the command of ir_measures, with pingce as its first provider."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Runs `program.py [ARGUMENTS]`, or else what `ir_measures [ARGUMENTS]` would."""
    if arguments and arguments[0].endswith(".py"):
        sys.argv, program = arguments, arguments[0]
        sys.path[0] = str(Path(program).resolve().parent)
        runpy.run_path(program, run_name="__main__")
    else:
        sys.argv = ["ir_measures", *arguments]
        runpy.run_module("ir_measures", run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
