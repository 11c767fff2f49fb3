"""What is measured, piece by piece: which tool is asked, on what, and whether its values are those of pingce."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bars import FLOAT32, differences
from environments import BUILD, environment
from predictions import ROWS, Prediction
from processes import WorkError, finish, shell, whole_processes, worker

PYTHON = Path(sys.executable)
PINGCE = PYTHON.with_name("pingce")
FEW = 1_000
"Rows that are rehearsed."
REHEARSALS: dict[str, tuple[tuple[str, ...], ...]] = {
    "pytrec_eval": (("text", "{small}", "1"),),
    "ranx": (("text", "{small}", "1"), ("recommendation", "{small}", "1")),
    "rectools": (("recommendation", "{small}", "1"),),
    "sklearn": (("together", "float32, 3 % positive", "1", f"{FEW}"),),
    "polars": (("gauc", "users", "1", f"{FEW}"),),
}
"What each peer does on small data before it is measured: ranx compiles for minutes, once for each kind of ids."
CALLS = {"pingce": 6, "pytrec_eval": 6, "rectools": 6, "ranx": 3, "sklearn": 2, "polars": 4, "scikit_uplift": 2}
"Of each tool; the first one is cold. Whole processes of the peers: half as many."


class Benchmark:
    """Everything measured so far, by name; what could not be measured is said and left out."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.measured: dict[str, dict[str, Any]] = {}
        self.versions: dict[str, dict[str, str]] = {}
        self.pythons: dict[str, Path | None] = {"pingce": PYTHON}
        self.references: dict[str, dict[str, float]] = {}

    def data(self, script: str = "data.py") -> Path:
        """The folder that a script fills, once for each scale."""
        name = f"{self.scale:g}{script.removesuffix('.py').removesuffix('data').replace('_', '-').rstrip('-')}"
        folder = BUILD / "data" / name
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            finish([PYTHON, script, folder, "--scale", f"{self.scale}"])
        return folder

    def python(self, tool: str) -> Path | None:
        """The interpreter that has the tool, which is installed and rehearses when it is first asked for.

        One that fails is left out.
        """
        if tool not in self.pythons:
            try:
                python: Path | None = environment(tool)
                for words in REHEARSALS.get(tool, ()):
                    small = self.data() / "small" if "{small}" in words else ""
                    worker(python or PYTHON, tool, *(word.format(small=small) for word in words))
            except WorkError as error:
                python = None
                say_not_measured(tool, error)
            self.pythons[tool] = python
        return self.pythons[tool]

    def keep(self, name: str, figures: dict[str, Any], tool: str = "pingce") -> None:
        """Note a measurement and the versions that made it."""
        if "versions" in figures:
            self.versions.setdefault(tool, {}).update(figures.pop("versions"))
        self.measured[name] = figures
        print(f"bench: {name}", flush=True)

    def keep_each(self, name: str, figures: dict[str, Any]) -> None:
        """Note the variants that one process measured in turns."""
        for variant, times in figures.pop("each_s").items():
            timed = {"cold_s": times[0], "warm_s": min(times[1:]), "times_s": times}
            self.keep(f"{name}/{variant}", {**figures, **timed})

    def attempt(self, name: str, tool: str, work: str, data: str, *arguments: str, files: tuple[str, ...] = ()) -> None:
        """Ask a tool's worker, and compare its values; a tool that fails is left out.

        With `files` it is timed as a whole process that reads them, as a command of the shell is.
        """
        python, calls = self.python(tool), CALLS[tool]
        if python is None:
            return
        folder = self.data() / data
        try:
            if files:
                paths = [folder / file for file in files]
                figures = whole_processes(python, tool, work, folder, files=paths, calls=(calls + 1) // 2)
            else:
                figures = worker(python, tool, work, folder, str(calls), *arguments)
        except WorkError as error:
            say_not_measured(name, error)
            return
        self.check(figures, data)
        if "each_s" in figures:
            self.keep_each(name, figures)
        else:
            self.keep(name, figures, tool)

    def check(self, figures: dict[str, Any], data: str) -> None:
        """The largest difference to pingce's own values on the same data."""
        values = figures.get("values")
        if not values or data not in ("text", "recommendation"):
            return
        if data not in self.references:
            self.references[data] = worker(PYTHON, "pingce", "values", self.data() / data, "1")["values"]
        figures |= differences(values, self.references[data])

    def predict(self, prediction: Prediction) -> None:
        """pingce and the peer on one sample."""
        words = (prediction.work, prediction.sample)
        self.ask(f"{prediction.name}/pingce", "pingce", words, prediction.rows)
        if prediction.peer:
            self.ask(prediction.theirs, prediction.peer, words, prediction.rows, prediction.calls)

    def ask(self, name: str, tool: str, words: tuple[str, str], rows: int = ROWS, calls: int | None = None) -> None:
        """Ask a worker that draws its rows, and compare its values with those of pingce, which comes first.

        With 0 calls it is asked for the memory of one.
        """
        python = self.python(tool)
        if python is None:
            return
        calls = CALLS[tool] if calls is None else calls
        try:
            figures = worker(python, module_of(tool, words[1]), *words, f"{calls}", f"{self.scaled(rows, FEW)}")
        except WorkError as error:
            say_not_measured(name, error)
            return
        values, same = figures.get("values"), f"{words} of {rows} rows"
        if values and tool == "pingce":
            self.references[same] = values
        if values and same in self.references:
            loose = FLOAT32 if words[1].startswith("float32") else ()
            figures |= differences(values, self.references[same], loose)
        self.keep(name, figures, tool)

    def shell_eval(self, name: str, suffix: str) -> None:
        """`pingce eval` from the shell."""
        files = [self.data() / "text" / f"{stem}.{suffix}" for stem in ("qrels", "run")]
        figures = shell([PINGCE, "eval", *files, "-f", "json"], files, CALLS["pingce"])
        self.check(figures, "text")
        self.keep(name, figures)

    def scaled(self, count: int, least: int = 100) -> int:
        """As many queries or rows as the scale asks for."""
        return max(least, round(count * self.scale))


def module_of(tool: str, sample: str) -> str:
    """The worker that has a sample: statistics of queries are apart, and scipy is where scikit-learn is."""
    if sample == "queries":
        return f"{'scipy' if tool == 'sklearn' else tool}_stats"
    return "pingce_predictions" if tool == "pingce" else tool


def demo() -> Path:
    """The folder of the demo's files, found without importing the package: this process must stay small."""
    spec = find_spec("pingce")
    if spec is None or spec.origin is None:
        raise WorkError("pingce is not installed")
    return Path(spec.origin).with_name("demo")


def say_not_measured(name: str, error: WorkError) -> None:
    """A line for whoever watches."""
    print(f"bench: {name} not measured: {error}", flush=True)
