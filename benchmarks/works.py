"""All works by name: `--only` takes these names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmark import FEW, PINGCE, PYTHON, Benchmark, demo, say_not_measured
from billion import billion
from commands import COMMANDS
from factor_peers import factors
from items import items
from predictions import AUC_SAMPLES, PREDICTIONS, RARE, RARE64, ROWS, STATISTICS
from processes import WorkError, in_turns, shell
from scale import batches, scale, spark

ROUNDS = 21
SIZES = {"1M": 10_000, "10M": 100_000, "100M": 1_000_000}
"Queries of 100 rows each."
DEPTH = 100


def text(benchmark: Benchmark) -> None:
    """TREC files, 6,980 queries of 1,000 documents, and the same as Parquet."""
    benchmark.shell_eval("text/pingce", "txt")
    benchmark.shell_eval("text/parquet", "parquet")
    benchmark.keep("text/run file", {"size_bytes": (benchmark.data() / "text" / "run.txt").stat().st_size})
    for peer in ("pytrec_eval", "ranx"):
        benchmark.attempt(f"text/{peer}", peer, "text", "text", files=("qrels.txt", "run.txt"))


def memory(benchmark: Benchmark) -> None:
    """The same as tables in memory, and as dicts of dicts."""
    for form in ("arrow", "polars", "pandas", "dicts"):
        benchmark.attempt(f"memory/{form}", "pingce", form, "text")
    benchmark.attempt("memory/pytrec_eval", "pytrec_eval", "dicts", "text")


def order(benchmark: Benchmark) -> None:
    """The same as Arrow tables, in the order of the file and shuffled, in turns."""
    benchmark.attempt("order", "pingce", "order", "text")


def fusion(benchmark: Benchmark) -> None:
    """Two such tables fused by RRF, and one of them evaluated, in turns."""
    benchmark.attempt("fusion", "pingce", "fusion", "text")


def recommendation(benchmark: Benchmark) -> None:
    """100,000 users with 100 items each, as pandas frames of integers."""
    for tool in ("pingce", "rectools", "ranx"):
        benchmark.attempt(f"recommendation/{tool}", tool, "recommendation", "recommendation")


def cold(benchmark: Benchmark) -> None:
    """Fresh processes on 50 queries of 1,000 documents, beside the import of NumPy."""
    small = benchmark.data() / "small"
    fresh: dict[str, list[str | Path]] = {
        "cold/import numpy": [PYTHON, "-c", "import numpy"],
        "cold/import pingce": [PYTHON, "-c", "import pingce"],
        "cold/pingce eval": [PINGCE, "eval", small / "qrels.txt", small / "run.txt", "-f", "json"],
    }
    for name, figures in in_turns(fresh, ROUNDS).items():
        benchmark.keep(name, figures)


def growth(benchmark: Benchmark) -> None:
    """Ten times the rows, twice."""
    for name, queries in SIZES.items():
        benchmark.attempt(f"growth/{name}", "pingce", "growth", "", "--queries", f"{benchmark.scaled(queries)}")


def evidence(benchmark: Benchmark) -> None:
    """The evidence of 10 million rows on one thread and on two."""
    benchmark.attempt("evidence", "pingce", "threads", "", "--queries", f"{benchmark.scaled(SIZES['10M'])}")


def sixty(benchmark: Benchmark) -> None:
    """Six metrics and sixty, from Arrow tables."""
    benchmark.attempt("sixty", "pingce", "sixty", "text")


def predict(benchmark: Benchmark, *, work: str) -> None:
    """Rows of the table of predictions that begin with a work."""
    for prediction in (*PREDICTIONS, *STATISTICS):
        if prediction.work == work:
            benchmark.predict(prediction)


def auc_memory(benchmark: Benchmark) -> None:
    """What AUC takes of the memory in a fresh process, and what the curves take."""
    benchmark.keep("auc_memory/a byte a row", {"size_bytes": benchmark.scaled(ROWS, FEW)})
    words = {sample: ("auc", sample) for sample in AUC_SAMPLES}
    for name, asked in {**words, "both": ("both", RARE64), "table": ("table", RARE64)}.items():
        benchmark.ask(f"auc_memory/{name}", "pingce", asked, calls=0)


def auc_growth(benchmark: Benchmark) -> None:
    """Ten times the rows, twice."""
    for name, queries in SIZES.items():
        benchmark.ask(f"auc_growth/{name}", "pingce", ("auc", RARE), rows=DEPTH * queries)


def command(benchmark: Benchmark, *, work: str) -> None:
    """Whole commands of the shell that begin with a work."""
    data = benchmark.data("shell_data.py")
    for typed in COMMANDS:
        if typed.work == work:
            words = [word.format(data=data, demo=demo()) for word in typed.words.split()]
            try:
                benchmark.keep(typed.name, shell([PINGCE, *words], sorted(data.iterdir()), typed.calls))
            except WorkError as error:
                say_not_measured(typed.name, error)


FIXED = (text, memory, order, fusion, recommendation, items, factors, cold, growth, evidence, sixty)
WORKS: dict[str, Callable[[Benchmark], None]] = {
    **{work.__name__: work for work in FIXED},
    **{prediction.work: partial(predict, work=prediction.work) for prediction in (*PREDICTIONS, *STATISTICS)},
    **{work.__name__: work for work in (auc_memory, auc_growth)},
    **{work: partial(command, work=work) for work in dict.fromkeys(typed.work for typed in COMMANDS)},
    **{work.__name__: work for work in (batches, scale, spark, billion)},
}
LONG = ("billion",)
"Works that are only done when they are named; what was measured before stays."
