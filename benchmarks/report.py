"""What was measured, on what, for machines (JSON) and for people (a table)."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from processes import finish

MEBIBYTE = 1 << 20


SORTED = """
import timeit, numpy as np
x = np.random.default_rng(0).random(1_000_000, dtype=np.float32)
plain, stable = (min(timeit.repeat(lambda: np.sort(x, kind=kind), number=1, repeat=5)) for kind in ("quicksort", "stable"))
print(3 * plain < stable)
"""
"Vectorised, NumPy sorts many times as fast as by merging; otherwise not twice."


def machine(python: Path) -> dict[str, Any]:
    """The machine in general words: processor, cores, memory, system, and whether NumPy's sort is vectorised there."""
    models = (line.partition(":")[2].strip() for line in cpu_lines() if line.startswith("model name"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": next(models, platform.machine()),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory / (1 << 30), 1),
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}",
        "vectorised_sort": finish([python, "-c", SORTED]).output.strip() == "True",
    }


def cpu_lines() -> Sequence[str]:
    """What the kernel says of the processors."""
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else ()


def short(name: str, beside: str) -> str:
    """The last part of a measurement's name that tells it from the one beside it, where they belong to one work."""
    work, _, last = name.removesuffix("/pingce").rpartition("/")
    return last if not work or beside.startswith(f"{work.partition('/')[0]}/") else name


def amount(value: float | None, unit: str) -> str:
    """A time or a size, with its unit."""
    if value is None:
        return "not measured"
    if unit == "bytes":
        return f"{value / MEBIBYTE:,.0f} MiB"
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"


def cells(row: Mapping[str, Any]) -> list[str]:
    """One row of the table."""
    figure, unit = row["what"].split("_")
    ratio = "void" if row["void"] else "–" if row["ratio"] is None else f"{row['ratio']:.2f}"
    reached = {True: "yes", False: "no", None: "–"}[row["reached"]]
    return [
        f"{row['title'].split('|')[0]} ({figure})",
        amount(row["pingce"], unit),
        f"{short(row['theirs'], row['ours'])} {amount(row['peer'], unit)}" if row["theirs"] else "–",
        ratio,
        row["bar"] or "–",
        reached,
        (row["run"] or "–").split(" ")[0],
    ]


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as a Markdown table, in columns."""
    head = ["work", "pingce", "peer", "ratio", "must reach", "reached", "date"]
    lines = [head, *(cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def largest(results: Mapping[str, Any], figure: str) -> str:
    """The largest of the differences."""
    return f"{max([0.0, *(figures[figure] for figures in results['measured'].values() if figure in figures)]):.1e}"


def origin(stamp: str, run: Mapping[str, Any]) -> str:
    """When and where a run was made, and by which versions."""
    on = run["machine"]
    tools = "; ".join(
        f"{tool}: {', '.join(f'{name} {number}' for name, number in of.items())}"
        for tool, of in run["versions"].items()
    )
    sort = {True: "vectorised", False: "not vectorised", None: "not looked at"}[on.get("vectorised_sort")]
    where = f"{on['processor']}, {on['cores']} cores, {on['memory_gib']} GiB, {on['system']}"
    return f"{stamp}, scale {run['scale']:g}. {where}; NumPy's sort: {sort}. Python {run['python']}; {tools}."


def page(results: Mapping[str, Any]) -> str:
    """The results for people."""
    origins = "\n\n".join(origin(stamp, run) for stamp, run in results["runs"].items())
    return f"""# Benchmarks

{table(results["rows"])}

A ratio with ≥ says how many times faster pingce is, one with ≤ how many times the other figure it takes; a bar in
seconds or GB stands for the figure itself. Warm: the best of the later calls; cold: the first call of a fresh process,
with input files dropped from the page cache. What is typed in the shell is timed as whole processes on both sides, the
rest as calls within one. Bars stand on warm times and medians; results.json has every time. Times include the
conversion that users pay; ranx has compiled on small data before.

Labels and predictions are drawn in the process that measures, the same for every tool: NumPy columns, labels int64; for
polars a frame; 10 million rows where nothing else is said. Users by strings are an Arrow column. Several metrics are one
call of pingce, and the sum of the calls of scikit-learn. A loop over the users of a pandas frame is measured on about
2,000 of the million and scaled by rows. Beyond: the peak of the resident memory during a call, less what was resident
before it; with a byte a row beside it, the ratio is bytes a row.

Ranks from factors are drawn in the process of each tool alike; (cpu) are the seconds of all cores together, the least of the
calls. implicit and RecTools are asked for one k, RecBole works on a tenth of the users, 100 at a time, scaled by users.

Permutations and bootstrap draws start from the values of 7,000 queries: all ten pairs of five runs by six metrics. ranx
(the test of its `compare`) makes 100 permutations of each, scipy (`bootstrap`, percentile) 500 draws, scaled by draws.

`eval --ci`, `compare` and `report` are whole processes that read Parquet or TREC text; 95 % intervals, 1,000 draws.

Batches of 100,000 rows come from tables and columns in memory, ten million rows in all, in turns with one call. Streams
are whole processes (`pingce eval … --memory 2GB`) on Parquet folders of 100 million rows, twice the grouped ones, the
clicks once, against a tenth of the rows without a limit. A thousand million rows (`python benchmarks/run.py --only
billion --update`) are 100 parts, the smaller sizes the first of them; written part by part before, deleted after. On
Spark both tools work in one session, local[2], in turns, on the same data frames; MLlib (`RankingMetrics`) has four of
the six numbers, its lists are kept in memory between them, whole or cut before by a window.

The largest difference between a value and pingce's own is {largest(results, "difference")}; above
{results["tolerance"]:.0e} a row is void. `logloss` and `brier` of float32 scores, which scikit-learn computes in
float32, differ by {largest(results, "float32_difference")}; above {results["float32_tolerance"]:.0e} a row is void.

{origins}

Made by `make bench`; all figures are in results.json.
"""


def save(results: Mapping[str, Any], folder: Path) -> None:
    """results.json and results.md, each whole or not at all."""
    texts = {"results.json": json.dumps(results, indent=1, ensure_ascii=False) + "\n", "results.md": page(results)}
    for name, text in texts.items():
        part = folder / f"{name}.part"
        part.write_text(text, encoding="utf-8")
        part.replace(folder / name)
