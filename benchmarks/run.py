"""Measure pingce and its peers in one run, and compare.

    python benchmarks/run.py [--scale SCALE] [--only WORK ...] [--update]

A run of all works but the long ones at scale 1 is saved in this folder; any other is a rehearsal and is saved in
build/bench. With --update some works at scale 1 replace their own figures of the saved run: there is a ratio only where
both sides are of one run, and its date is beside it. `--only billion --update` streams a thousand million rows: it needs
9 GB of the disk while it lasts.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Collection
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from bars import FLOAT32_TOLERANCE, TOLERANCE
from benchmark import PYTHON, Benchmark, say_not_measured
from environments import BUILD
from processes import HERE, WorkError
from report import machine, save, table
from rows import BARS
from works import LONG, WORKS


def results(benchmark: Benchmark, saved: dict[str, Any], works: Collection[str]) -> dict[str, Any]:
    """Everything, ready to be saved: what was measured now, and of what was saved the works that were not done now."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
    this = {
        "scale": benchmark.scale,
        "machine": machine(PYTHON),
        "python": platform.python_version(),
        "versions": benchmark.versions,
    }
    kept = {name: of for name, of in saved.get("measured", {}).items() if name.partition("/")[0] not in works}
    measured = kept | {name: {**figures, "run": now} for name, figures in benchmark.measured.items()}
    stamps = {figures["run"] for figures in measured.values()}
    return {
        "tolerance": TOLERANCE,
        "float32_tolerance": FLOAT32_TOLERANCE,
        "runs": {stamp: run for stamp, run in {**saved.get("runs", {}), now: this}.items() if stamp in stamps},
        "rows": [bar.row(measured) for bar in BARS],
        "measured": measured,
    }


def load(folder: Path) -> dict[str, Any]:
    """What was saved there."""
    saved: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return saved


def main() -> None:
    """Run what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the queries and rows; 1 is the real benchmark"
    )
    usual = [name for name in WORKS if name not in LONG]
    parser.add_argument("--only", nargs="+", choices=WORKS, default=usual)
    parser.add_argument("--update", action="store_true", help="replace the figures of these works in the saved results")
    arguments = parser.parse_args()
    if arguments.update and arguments.scale != 1:
        parser.error("--update goes with scale 1")
    benchmark = Benchmark(arguments.scale)
    for name in arguments.only:
        try:
            WORKS[name](benchmark)
        except WorkError as error:
            say_not_measured(name, error)
    whole = arguments.update or (arguments.scale == 1 and set(arguments.only) >= set(usual))
    done = results(benchmark, load(HERE) if whole else {}, arguments.only)
    save(done, HERE if whole else BUILD)
    print(table(row for row in done["rows"] if row["ours"].partition("/")[0] in arguments.only))


if __name__ == "__main__":
    main()
