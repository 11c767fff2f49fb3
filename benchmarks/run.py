"""Measure pingce and its peers in one run, and compare.

    python benchmarks/run.py [--scale SCALE] [--only WORK ...] [--update]

A whole run at scale 1 is saved in this folder; any other is a rehearsal and is saved in build/bench. With --update some
works at scale 1 replace their own rows of the saved run: both sides of a ratio are still of one run, and its date is
beside it.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Collection
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from bars import AUC_SAMPLES, BARS, FLOAT32, FLOAT32_TOLERANCE, LOOP, TOLERANCE, differences
from environments import BUILD, environment
from processes import HERE, WorkError, finish, in_turns, shell, whole_processes, worker
from report import machine, save, table
from scale import batches, scale, spark

PYTHON = Path(sys.executable)
PINGCE = PYTHON.with_name("pingce")
PEERS = {"pytrec_eval": ("text",), "ranx": ("text", "recommendation"), "rectools": ("recommendation",)}
"What each peer rehearses on small data before it is measured: ranx compiles for minutes, once for each kind of ids."
PREDICTION_PEERS = {"sklearn": ("together", AUC_SAMPLES[0]), "polars": ("gauc", "users")}
"What each of those rehearses that draw their rows."
CALLS = {"pingce": 6, "pytrec_eval": 6, "rectools": 6, "ranx": 3, "sklearn": 2, "polars": 4}
"Of each tool; the first one is cold. Whole processes of the peers: half as many."
MORE_CALLS = {"sklearn/auc": 3, "sklearn/regression": 6}
"Of what takes less time than the rest of the tool's work."
ROUNDS = 21
SIZES = {"1M": 10_000, "10M": 100_000, "100M": 1_000_000}
"Queries of 100 rows each."
DEPTH = 100
ROWS = 10_000_000
QUERIES = 7_000
FEW = 1_000
"Rows of labels and predictions: measured, and rehearsed."


class Benchmark:
    """Everything measured so far, by name; what could not be measured is said and left out."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.data = BUILD / "data" / f"{scale:g}"
        self.measured: dict[str, dict[str, Any]] = {}
        self.versions: dict[str, dict[str, str]] = {}
        self.pythons: dict[str, Path] = {"pingce": PYTHON}
        self.references: dict[str, dict[str, float]] = {}

    def prepare(self) -> None:
        """The data, and every peer's environment with its compiled code in place."""
        if not self.data.exists():
            self.data.parent.mkdir(parents=True, exist_ok=True)
            finish([PYTHON, "data.py", self.data, "--scale", f"{self.scale}"])
        for peer, works in PEERS.items():
            self.rehearse(peer, *((work, self.data / "small", "1") for work in works))
        for peer, (work, sample) in PREDICTION_PEERS.items():
            self.rehearse(peer, (work, sample, "1", f"{FEW}"))

    def rehearse(self, peer: str, *works: tuple[str | Path, ...]) -> None:
        """Install a peer and let it work on little; one that fails is left out."""
        try:
            python = environment(peer)
            for work in works:
                worker(python, peer, *work)
        except WorkError as error:
            print(f"bench: {peer} not measured: {error}", flush=True)
        else:
            self.pythons[peer] = python

    def keep(self, name: str, figures: dict[str, Any], tool: str = "pingce") -> None:
        """Note a measurement and the versions that made it."""
        if "versions" in figures:
            self.versions.setdefault(tool, {}).update(figures.pop("versions"))
        self.measured[name] = figures
        print(f"bench: {name}", flush=True)

    def attempt(self, name: str, tool: str, work: str, data: str, *arguments: str, files: tuple[str, ...] = ()) -> None:
        """Ask a tool's worker, and compare its values; a tool that fails is left out.

        With `files` it is timed as a whole process that reads them, as a command of the shell is.
        """
        folder = self.data / data
        if tool not in self.pythons:
            return
        try:
            python, calls = self.pythons[tool], CALLS[tool]
            if files:
                paths = [folder / file for file in files]
                figures = whole_processes(python, tool, work, folder, files=paths, calls=(calls + 1) // 2)
            else:
                figures = worker(python, tool, work, folder, str(calls), *arguments)
        except WorkError as error:
            print(f"bench: {name} not measured: {error}", flush=True)
            return
        self.check(figures, data)
        each = figures.pop("each_s", None)
        if each is None:
            self.keep(name, figures, tool)
            return
        for variant, times in each.items():
            self.keep(f"{name}/{variant}", {**figures, "cold_s": times[0], "warm_s": min(times[1:]), "times_s": times})

    def check(self, figures: dict[str, Any], data: str) -> None:
        """The largest difference to pingce's own values on the same data."""
        values = figures.get("values")
        if not values or data not in ("text", "recommendation"):
            return
        if data not in self.references:
            self.references[data] = worker(PYTHON, "pingce", "values", self.data / data, "1")["values"]
        reference = self.references[data]
        figures |= differences(values, reference)

    def predict(
        self,
        name: str,
        tool: str,
        work: str,
        sample: str,
        *,
        rows: int = ROWS,
        calls: int | None = None,
        module: str = "",
    ) -> None:
        """Ask a tool's worker that draws its rows, and compare its values with those of pingce, which comes first.

        With no calls it is asked for the memory of one.
        """
        if tool not in self.pythons:
            return
        module = module or ("pingce_predictions" if tool == "pingce" else tool)
        if calls is None:
            calls = MORE_CALLS.get(f"{tool}/{work}", CALLS[tool])
        asked = (work, sample, f"{calls}", f"{self.scaled(rows, FEW)}")
        try:
            figures = worker(self.pythons[tool], module, *asked)
        except WorkError as error:
            print(f"bench: {name} not measured: {error}", flush=True)
            return
        values, same = figures.get("values"), f"{work} of {rows} rows, {sample}"
        if values and tool == "pingce":
            self.references[same] = values
        if values and same in self.references:
            loose = FLOAT32 if sample.startswith("float32") else ()
            figures |= differences(values, self.references[same], loose)
        self.keep(name, figures, tool)

    def shell_eval(self, name: str, suffix: str) -> None:
        """`pingce eval` from the shell."""
        files = [self.data / "text" / f"{stem}.{suffix}" for stem in ("qrels", "run")]
        figures = shell([PINGCE, "eval", *files, "-f", "json"], files, CALLS["pingce"] - 1)
        self.check(figures, "text")
        self.keep(name, figures)

    def text(self) -> None:
        """TREC files: 6,980 queries of 1,000 documents."""
        self.shell_eval("text/pingce", "txt")
        self.keep("text/run file", {"size_bytes": (self.data / "text" / "run.txt").stat().st_size})
        for peer in ("pytrec_eval", "ranx"):
            self.attempt(f"text/{peer}", peer, "text", "text", files=("qrels.txt", "run.txt"))

    def parquet(self) -> None:
        """The same as Parquet."""
        self.shell_eval("parquet/pingce", "parquet")

    def memory(self) -> None:
        """The same as tables in memory."""
        for form in ("arrow", "polars", "pandas"):
            self.attempt(f"memory/{form}", "pingce", form, "text")

    def dicts(self) -> None:
        """The same as dicts of dicts."""
        for tool in ("pingce", "pytrec_eval"):
            self.attempt(f"dicts/{tool}", tool, "dicts", "text")

    def recommendation(self) -> None:
        """100,000 users with 100 items each, as pandas frames of integers."""
        for tool in ("pingce", "rectools", "ranx"):
            self.attempt(f"recommendation/{tool}", tool, "recommendation", "recommendation")

    def cold(self) -> None:
        """Fresh processes on 50 queries of 1,000 documents, beside the import of NumPy."""
        small = self.data / "small"
        commands: dict[str, list[str | Path]] = {
            "cold/import numpy": [PYTHON, "-c", "import numpy"],
            "cold/import pingce": [PYTHON, "-c", "import pingce"],
            "cold/pingce eval": [PINGCE, "eval", small / "qrels.txt", small / "run.txt", "-f", "json"],
        }
        for name, figures in in_turns(commands, ROUNDS).items():
            self.keep(name, figures)

    def growth(self) -> None:
        """Ten times the rows, twice."""
        for name, queries in SIZES.items():
            self.attempt(f"growth/{name}", "pingce", "growth", "", "--queries", f"{self.scaled(queries)}")

    def evidence(self) -> None:
        """The evidence of 10 million rows on one thread and on two."""
        self.attempt("evidence", "pingce", "threads", "", "--queries", f"{self.scaled(SIZES['10M'])}")

    def sixty(self) -> None:
        """Six metrics and sixty, from Arrow tables."""
        self.attempt("sixty", "pingce", "sixty", "text")

    def auc(self) -> None:
        """One AUC of 10 million rows, as float32 and float64, with few positives and with many."""
        for sample in AUC_SAMPLES:
            for tool in ("pingce", "sklearn"):
                self.predict(f"auc/{sample}/{tool}", tool, "auc", sample)

    def auc_memory(self) -> None:
        """What the same takes of the memory in a fresh process, and what the curves take."""
        self.keep("auc_memory/a byte a row", {"size_bytes": self.scaled(ROWS, FEW)})
        for sample in AUC_SAMPLES:
            self.predict(f"auc_memory/{sample}", "pingce", "auc", sample, calls=0)
        self.predict("auc_memory/pr_auc", "pingce", "pr_auc", "float64, 3 % positive", calls=0)
        self.predict("auc_memory/table", "pingce", "table", "float64, 3 % positive", calls=0)

    def auc_growth(self) -> None:
        """Ten times the rows, twice."""
        for name, queries in SIZES.items():
            self.predict(f"auc_growth/{name}", "pingce", "auc", AUC_SAMPLES[0], rows=DEPTH * queries)

    def together(self) -> None:
        """Six metrics, in one call where there is one."""
        for tool in ("pingce", "sklearn"):
            self.predict(f"together/{tool}", tool, "together", AUC_SAMPLES[0])

    def gauc(self) -> None:
        """AUC within each of a million users; a loop over users would take hours, so that only some are measured."""
        for name, tool in {"pingce": "pingce", "polars": "polars", LOOP: "sklearn"}.items():
            self.predict(f"gauc/{name}", tool, "gauc", "users")

    def multiclass(self) -> None:
        """A report of 100 classes."""
        for tool in ("pingce", "sklearn"):
            self.predict(f"multiclass/{tool}", tool, "multiclass", "classes")

    def regression(self) -> None:
        """Three metrics of numbers."""
        for tool in ("pingce", "sklearn"):
            self.predict(f"regression/{tool}", tool, "regression", "numbers")

    def permutations(self) -> None:
        """All pairs of five runs by six metrics, tested by random signs."""
        for name, tool in {"pingce": "pingce", "ranx": "ranx"}.items():
            self.predict(f"permutations/{name}", tool, "permutations", "queries", rows=QUERIES, module=f"{name}_stats")

    def bootstrap(self) -> None:
        """Intervals of the same differences; scipy is where scikit-learn is."""
        for name, tool in {"pingce": "pingce", "scipy": "sklearn"}.items():
            self.predict(f"bootstrap/{name}", tool, "bootstrap", "queries", rows=QUERIES, module=f"{name}_stats")

    def scaled(self, count: int, least: int = 100) -> int:
        """As many queries or rows as the scale asks for."""
        return max(least, round(count * self.scale))

    def results(self, works: Collection[str]) -> dict[str, Any]:
        """Everything, ready to be saved; a bar belongs to the work that its own figure begins with."""
        return {
            "date": today(),
            "scale": self.scale,
            "machine": machine(),
            "python": platform.python_version(),
            "versions": self.versions,
            "tolerance": TOLERANCE,
            "differences": self.figures("difference"),
            "float32_tolerance": FLOAT32_TOLERANCE,
            "float32_differences": self.figures("float32_difference"),
            "rows": [
                {**bar.row(self.measured), "date": today()} for bar in BARS if bar.ours.partition("/")[0] in works
            ],
            "measured": self.measured,
        }

    def figures(self, figure: str) -> dict[str, Any]:
        """One figure of every measurement that has it."""
        return {name: one[figure] for name, one in self.measured.items() if figure in one}


def today() -> str:
    """The date, anywhere."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%d")


def updated(results: dict[str, Any], works: Collection[str]) -> dict[str, Any]:
    """The saved results with the rows and figures of some works replaced, in the order of the bars."""
    saved: dict[str, Any] = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    rows = {
        (row["work"], row["ours"], row["theirs"], row["what"]): {"date": saved["date"], **row}
        for row in [*saved["rows"], *results["rows"]]
    }
    order = {(bar.work, bar.ours, bar.theirs, bar.figure): place for place, bar in enumerate(BARS)}
    kept = {name: of for name, of in saved["measured"].items() if name.partition("/")[0] not in works}
    return {
        **saved,
        "rows": sorted(
            (row for key, row in rows.items() if key in order),
            key=lambda row: order[tuple(row[name] for name in ("work", "ours", "theirs", "what"))],
        ),
        "measured": kept | results["measured"],
        **{name: saved[name] | results[name] for name in ("versions", "differences", "float32_differences")},
    }


WORKS: dict[str, Callable[[Benchmark], None]] = {
    work.__name__: work
    for work in (
        Benchmark.text,
        Benchmark.parquet,
        Benchmark.memory,
        Benchmark.dicts,
        Benchmark.recommendation,
        Benchmark.cold,
        Benchmark.growth,
        Benchmark.evidence,
        Benchmark.sixty,
        Benchmark.auc,
        Benchmark.auc_memory,
        Benchmark.auc_growth,
        Benchmark.together,
        Benchmark.gauc,
        Benchmark.multiclass,
        Benchmark.regression,
        Benchmark.permutations,
        Benchmark.bootstrap,
        batches,
        scale,
        spark,
    )
}


ALONE = {work.__name__ for work in (batches, scale, spark)}
"Works that make their own data and need no peer's environment."


def main() -> None:
    """Run what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the queries and rows; 1 is the real benchmark"
    )
    parser.add_argument("--only", nargs="+", choices=WORKS, default=list(WORKS))
    parser.add_argument("--update", action="store_true", help="replace the rows of these works in the saved results")
    arguments = parser.parse_args()
    if arguments.update and arguments.scale != 1:
        parser.error("--update goes with scale 1")
    benchmark = Benchmark(arguments.scale)
    if set(arguments.only) - ALONE:
        benchmark.prepare()
    for name in arguments.only:
        try:
            WORKS[name](benchmark)
        except WorkError as error:
            print(f"bench: {name} not measured: {error}", flush=True)
    results = benchmark.results(arguments.only)
    whole = arguments.scale == 1 and set(arguments.only) == set(WORKS)
    save(
        updated(results, arguments.only) if arguments.update else results, HERE if whole or arguments.update else BUILD
    )
    print(table(results["rows"]))


if __name__ == "__main__":
    main()
