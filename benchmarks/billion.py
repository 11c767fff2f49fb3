"""A thousand million rows, streamed from Parquet folders, beside a tenth and a hundredth of them.

Parts of ten million rows are written one by one, and deleted when the work is done: about 8 GB for rankings, then about
5 GB for clicks. The smaller sizes are links to the first parts.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from environments import BUILD
from processes import finish
from scale import LIMIT, SIX, whole_command

if TYPE_CHECKING:
    from benchmark import Benchmark

SIZES = {"10M": 1, "100M": 10, "1000M": 100}
"Parts."
WORDS = {
    "rankings": f"{{folder}}/qrels {{folder}}/run -m {SIX}",
    "clicks": "{folder}/clicks --label click --score pctr --group user_id -m auc,gauc",
}


def billion(benchmark: Benchmark) -> None:
    """Both kinds, each with its own data, which goes when it is measured."""
    for kind in WORDS:
        data = BUILD / "data" / f"{benchmark.scale:g}-billion-{kind}"
        shutil.rmtree(data, ignore_errors=True)
        try:
            measure(benchmark, kind, data)
        finally:
            shutil.rmtree(data, ignore_errors=True)


def measure(benchmark: Benchmark, kind: str, data: Path) -> None:
    """Write the parts, and stream each size under a limit of memory."""
    python = benchmark.python("pingce") or Path()
    finish([python, "billion_data.py", data, kind, "--scale", f"{benchmark.scale}"])
    for size in SIZES:
        folder = data / size
        words: list[str | Path] = [*WORDS[kind].format(folder=folder).split()]
        command = [python, "-m", "pingce", "eval", *words, "--memory", LIMIT, "-f", "json"]
        runs = 1 if size == "1000M" else 2
        figures = whole_command(command, tuple(sorted(folder.iterdir())), runs)
        figures["size_bytes"] = sum(file.stat().st_size for file in folder.rglob("*.parquet"))
        benchmark.keep(f"billion/{kind} {size}", figures)
