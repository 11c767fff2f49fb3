"""Predictions that are streamed: the same bytes as read at once, with chunks, tables and parts of a few rows."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, parquet

import pingce as pc
from cli.shell import environment
from inputs.samples import refused
from pingce.base.text import Text
from pingce.cli import run
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.streams import TableStream, open_table
from pingce.request import Request
from pingce.run.memory import RowBudget
from pingce.run.stream import Streaming, TableColumns, stream_rows

LARGE = 10**9
TINY = RowBudget(chunk=300, part=500, group=LARGE, waiting=200, counted=400, table=LARGE, whole=LARGE)
METRICS = ["auc", "gauc", "logloss", "ks", "pr_auc", "f1", "ece"]


@dataclass(frozen=True)
class Predictions:
    """Rows, and how they are written."""

    table: pa.Table
    cuts: tuple[int, ...]
    kind: str

    def write(self, folder: Path) -> Path:
        made = folder / "rows"
        made.mkdir()
        bounds = sorted({0, len(self.table), *(cut % (len(self.table) + 1) for cut in self.cuts)})
        for number, (low, high) in enumerate(itertools.pairwise(bounds)):
            part = self.table.slice(low, high - low)
            if self.kind == "parquet":
                parquet.write_table(part, made / f"{number}.parquet", row_group_size=11)
            else:
                out = pa.BufferOutputStream()
                csv.write_csv(part, out)
                content = out.getvalue().to_pybytes()
                packed = gzip.compress(content) if self.kind == "csv.gz" else content
                (made / f"{number}.{self.kind}").write_bytes(packed)
        return made


@st.composite
def predictions(draw: st.DrawFn) -> Predictions:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, 90))
    label = rng.integers(0, 2, count)
    label[:2] = 0, 1
    user = rng.integers(0, 1 + count // draw(st.integers(1, 9)), count)
    score = rng.integers(0, draw(st.sampled_from([3, 1000])) + 1, count) / 1000
    kind = draw(st.sampled_from(["parquet", "csv", "csv.gz"]))
    table = pa.table(
        {
            "label": label,
            "score": score.astype(draw(st.sampled_from(["float32", "float64"])) if kind == "parquet" else "float64"),
            "user": user.astype(str) if draw(st.booleans()) else user,
            "weight": rng.integers(1, 4, count),
        }
    )
    order = rng.permutation(count) if draw(st.booleans()) else np.argsort(user, kind="stable")
    return Predictions(table.take(order), tuple(draw(st.lists(st.integers(0, 99), max_size=3))), kind)


def opened(path: Path, *names: str, numbers: tuple[str, ...] = ("score", "weight")) -> TableStream:
    wanted = Wanted(names, ("user",) if "user" in names else (), tuple(name for name in numbers if name in names))
    found = open_table(path, wanted, Reading())
    assert found is not None
    return found


def streamed(path: Path, how: Streaming, metrics: list[str] = METRICS, weight: str | None = None, **more: Any) -> Any:
    group = more.get("group", "user")
    names = [name for name in ("label", "score", group, weight) if name is not None]
    columns = TableColumns("label", "score", group, weight)
    return stream_rows(Request.of("binary", metrics), opened(path, *names), columns, how)


@given(predictions(), st.sampled_from([1, 300, 4000]), st.booleans())
def test_streamed_as_at_once(
    tmp_path_factory: pytest.TempPathFactory, rows: Predictions, chunk: int, weighted: bool
) -> None:
    folder = tmp_path_factory.mktemp("streamed")
    path, weight = rows.write(folder), "weight" if weighted else None
    said: list[Text] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = pc.evaluate_binary("label", "score", METRICS, data=path, group="user", weight=weight)
        found = streamed(path, Streaming(replace(TINY, chunk=chunk), folder, say=said.append), weight=weight)
    assert found.to_json(per_query=True) == whole.to_json(per_query=True)
    users = rows.table.column("user").to_pylist()
    stretches = 1 + sum(one != other for one, other in itertools.pairwise(users))
    assert bool(said) == (stretches > len(set(users)))
    assert [each.name for each in folder.iterdir()] == ["rows"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a million rows, users scattered: 10 MB in memory."""
    rng = np.random.default_rng(5)
    count = 500_000
    table = pa.table(
        {
            "label": rng.integers(0, 2, count),
            "score": rng.random(count),
            "rough": rng.integers(0, 1000, count) / 1000,
            "user": rng.integers(0, 20_000, count),
            "pred": rng.integers(0, 2, count),
            "y": rng.standard_normal(count),
            "yhat": rng.standard_normal(count),
        }
    )
    folder = tmp_path_factory.mktemp("many") / "rows"
    folder.mkdir()
    for number in range(4):
        parquet.write_table(table.slice(number * count // 4, count // 4), folder / f"{number}.parquet")
    return folder


Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Call:
    """`pingce eval` in this process: its exit code, and what it wrote."""

    def call(*words: Any) -> tuple[int, str, str]:
        code = run(["eval", *map(str, words)])
        return code, *capsys.readouterr()

    return call


def test_the_command_streams_and_says_so(many: Path, tmp_path: Path, called: Call) -> None:
    words = [many, "--label", "label", "--score", "rough", "--group", "user", "-f", "json"]
    code, out, said = called(*words, "--memory", "16MiB", "--tmpdir", tmp_path)
    assert (code, out) == called(*words)[:2]
    assert "streamed: " in said
    assert "would exceed --memory 16MiB" in said
    assert "comes again after others" in said
    assert list(tmp_path.iterdir()) == []


def test_classes_and_numbers_by_the_command(many: Path, called: Call) -> None:
    for words in (
        ["--true", "label", "--pred", "pred"],
        ["--true", "y", "--pred", "yhat", "-m", "mae,rmse,r2,max_error"],
        ["--true", "y", "--pred", "yhat", "-m", "mae,rmse", "--by", "user:1h", "--by", "pred"],
        ["--label", "label", "--score", "rough", "--group", "user", "-m", "auc,gauc", "--by", "pred"],
    ):
        code, out, said = called(many, *words, "-f", "json", "--memory", "16MiB")
        assert (code, out) == called(many, *words, "-f", "json")[:2]
        assert "streamed" in said
    code, out, said = called(many, "--true", "y", "--pred", "yhat", "--memory", "16MiB")
    assert (code, "medae" in out, "left out, since it needs all rows at once: medae" in said) == (0, False, True)
    code, _, said = called(many, "--true", "y", "--pred", "yhat", "--memory", "16MiB", "-m", "medae")
    assert (code, "medae needs all rows at once" in said) == (2, True)


def test_what_cannot_be_streamed_is_said(many: Path, tmp_path: Path, called: Call) -> None:
    words = [many, "--label", "label", "--score", "score", "--memory", "16MiB"]
    for option, value, *more in (("--ci", "0.95"), ("--by", "activity", "--group", "user")):
        code, out, said = called(*words, option, value, *more)
        assert (code, out) == (2, "")
        assert f"{option} needs all rows at once" in said
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"label": 1, "score": 0.5, "more": "%s"}\n' % ("x" * 4000) * 4000)
    code, _, said = called(lines, "--memory", "16MiB")
    assert (code, "cannot be streamed" in said) == (2, True)
    assert called(lines, "--memory", "2GB", "-m", "accuracy")[0] == 0
    for place, words_en in ((lines, "the file cannot be streamed"), (tmp_path, "the files there cannot be streamed")):
        with pytest.raises(pc.InputError, match=words_en):
            pc.evaluate_binary("label", "score", data=place, memory="16MiB")
    code, _, said = called(*words[:-1], "plenty")
    assert (code, "2GB" in said) == (2, True)


def test_a_table_that_does_not_fit(many: Path, tmp_path: Path, called: Call) -> None:
    """AUC is counted without it; what needs it is refused with its size and the ways out."""
    words = [many, "--label", "label", "--memory", "16MiB", "--tmpdir", tmp_path]
    code, out, said = called(*words, "-m", "auc,best_f")
    assert (code, out) == (2, "")
    assert "500,000 distinct values" in said
    assert "--memory" in said
    assert called(*words, "-m", "auc,ks,pr_auc")[:2] == called(*words[:3], "-m", "auc,ks,pr_auc")[:2]
    streamed, whole = (json.loads(called(*some, "-f", "json")[1])["metrics"] for some in (words, words[:3]))
    assert streamed == whole  # the usual ones, among them pr_auc
    code, out, _ = called(*words, "-m", "auc,ks", "--bins", "100000", "-f", "json")
    exact = pc.evaluate_binary("label", "score", ["auc", "ks"], data=many)
    values = {one["name"]: one for one in json.loads(out)["metrics"]}
    assert values.keys() == {"auc", "ks"}
    for name, found in values.items():
        assert abs(found["value"] - exact[name]) <= found["bound"]
    assert list(tmp_path.iterdir()) == []


def test_no_space_for_temporary_files(many: Path, tmp_path: Path, called: Call) -> None:
    words = ["--label", "label", "--group", "user", "-m", "auc,gauc", "--memory", "16MiB", "--tmpdir"]
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, usual[1]))
    try:
        code, out, said = called(many, *words, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert (code, out) == (2, "")
    assert said.startswith(f"pingce: {tmp_path}/pingce-")
    assert "no space left for temporary files after " in said
    assert "--tmpdir" in said
    assert list(tmp_path.iterdir()) == []
    code, _, said = called(many, *words, tmp_path / "absent")
    assert (code, "--tmpdir" in said, str(tmp_path / "absent") in said) == (2, True, True)


@pytest.mark.sweep
def test_the_functions_stream_too(many: Path, tmp_path: Path) -> None:
    limits: dict[str, Any] = {"data": many, "memory": "16MiB", "tmpdir": tmp_path}
    calls: list[tuple[Any, ...]] = [
        (pc.evaluate_binary, ("label", "rough"), {"group": "user"}),
        (pc.evaluate_multiclass, ("label", "pred"), {}),
        (pc.evaluate_regression, ("y", "yhat", ["mae", "r2"]), {}),
        (
            pc.evaluate_binary,
            ("label", "rough", ["auc", "pcoc", "gauc"]),
            {"group": "user", "by": ["pred", "user:1h@Asia/Shanghai"]},
        ),
        (pc.evaluate_binary, ("label", "rough", ["pr_auc", "logloss"]), {"by": "pred"}),
        (pc.evaluate_multiclass, ("label", "pred"), {"by": "pred"}),
        (pc.evaluate_regression, ("y", "yhat", ["mae", "r2"]), {"by": ["pred", "label"]}),
    ]
    for call, names, more in calls:
        found = call(*names, **limits, **more)
        assert found.to_json() == call(*names, data=many, **more).to_json()
        said = refused(call, *names, **limits, **more, ci=0.95)
        said.both_name("ci=", "memory=")
        assert list(tmp_path.iterdir()) == []
    distinct: dict[str, Any] = {"metrics": ["auc", "pr_auc", "f1"], "by": ["pred", "user:1h"]}
    streamed, whole = (pc.evaluate_binary("label", "score", **distinct, **more) for more in (limits, {"data": many}))
    assert streamed.slices == whole.slices
    usual = pc.evaluate_regression("y", "yhat", **limits)
    assert list(usual) == ["mae", "rmse", "r2", "max_error"]
    assert any("medae" in note.en and "medae" in note.zh for note in usual.notes)
    refused(pc.evaluate_regression, "y", "yhat", ["mae", "medae"], **limits).both_name("medae")
    refused(pc.evaluate_binary, "label", "rough", data={"label": [0, 1]}, memory="2GB").both_name("memory=", "data=")
    refused(pc.evaluate_binary, [0, 1], "rough", data=many, memory="2GB").both_name("memory=", "y_true=")
    small = pc.evaluate_binary("label", "rough", ["auc"], data=many, memory="2GB")
    assert len(small.evidence.rows.scores) == 500_000  # read at once


def test_curves_of_a_stream(many: Path) -> None:
    """Thinned where the table does not fit, and every point is one of the whole curve."""
    found = pc.evaluate_binary("label", "score", ["auc"], data=many, memory="16MiB")
    whole = pc.evaluate_binary("label", "score", ["auc"], data=many)
    assert found["auc"] == whole["auc"]
    columns = found.curve("roc").to_arrow().to_pydict()
    assert 100 < len(columns["fpr"]) <= 1002
    exact = whole.curve("roc", thin=None).to_arrow()
    points = set(zip(*(exact.column(name).to_pylist() for name in ("fpr", "tpr")), strict=True))
    assert set(zip(columns["fpr"], columns["tpr"], strict=True)) <= points


def test_a_small_file_loads_no_engine(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("label,score,user\n1,0.9,a\n0,0.2,a\n")
    words = ["-X", "importtime", "-m", "pingce", "eval", str(path), "--group", "user", "-m", "auc,gauc"]
    done = subprocess.run([sys.executable, *words], env=environment(), capture_output=True, check=True, text=True)
    assert "gauc" in done.stdout
    assert "pingce.inputs.paths" in done.stderr
    assert "pingce.run.stream" not in done.stderr
    assert "pingce.inputs.stream" not in done.stderr


def test_how_far_it_has_come(small: Path, tmp_path: Path) -> None:
    told: list[Text] = []
    streamed(small, Streaming(TINY, tmp_path, told.append))
    rows = [int(text.en.removeprefix("reading rows: ").split(" rows,")[0]) for text in told[:-1]]
    assert rows == sorted(rows)
    assert (len(rows) > 3, rows[-1]) == (True, 60)
    assert all(text.en.endswith(" rows/s") and "每秒" in text.zh for text in told[:-1])


_WAITS = """
import sys, time
from pathlib import Path
from feeds.test_predictions import TINY, Streaming, streamed

def doing(text):
    if text.en.startswith("scoring part 2"):
        print(sum(file.stat().st_size for file in Path(sys.argv[2]).rglob("*")), flush=True)
        time.sleep(60)

streamed(Path(sys.argv[1]), Streaming(TINY, sys.argv[2], doing))
"""


@pytest.mark.deep("waits for processes that it stops")
@pytest.mark.parametrize(
    "number, code", [(signal.SIGINT, -signal.SIGINT), *((sent, 128 + sent) for sent in (signal.SIGTERM, signal.SIGHUP))]
)
def test_nothing_stays_behind_when_it_is_stopped(tmp_path: Path, number: int, code: int) -> None:
    table = pa.table({"label": [0, 1] * 20, "score": np.linspace(0, 1, 40), "user": [*range(20)] * 2})
    path = Predictions(table, (), "parquet").write(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    root = str(Path(__file__).parents[1])
    env = environment() | {"PYTHONPATH": os.pathsep.join([root, environment()["PYTHONPATH"]])}
    with subprocess.Popen(
        [sys.executable, "-c", _WAITS, str(path), str(work)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        assert len(list(work.iterdir())) == 1
        assert next(work.iterdir()).stat().st_mode & 0o777 == 0o700
        process.send_signal(number)
        assert process.wait(30) == code
    assert list(work.iterdir()) == []


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    table = pa.table({"label": [0, 1] * 30, "score": np.linspace(0, 1, 60), "user": np.arange(60) // 6})
    yield Predictions(table, (20, 40), "parquet").write(tmp_path)


def test_a_damaged_file_in_the_middle(small: Path, tmp_path: Path) -> None:
    path = small / "1.parquet"
    path.write_bytes(path.read_bytes()[:-30])
    refused(streamed, small, Streaming(TINY, tmp_path)).both_name(path, "Parquet")
    assert [each.name for each in tmp_path.iterdir()] == ["rows"]


@pytest.mark.parametrize("column, value", [("user", None), ("score", float("nan")), ("label", None)])
@pytest.mark.parametrize("scattered", [False, True])
def test_rows_that_cannot_be_used_are_named(
    small: Path, tmp_path: Path, column: str, value: Any, scattered: bool
) -> None:
    table = parquet.read_table(small / "1.parquet")
    place = table.schema.get_field_index(column)
    values = table.column(column).to_pylist()
    values[7] = value
    parquet.write_table(table.set_column(place, column, pa.array(values)), small / "1.parquet")
    if scattered:
        shutil.copy(small / "0.parquet", small / "0b.parquet")
    refused(streamed, small, Streaming(TINY, tmp_path)).both_name(small / "1.parquet", "7", column)


@pytest.mark.parametrize("scattered", [False, True])
def test_a_group_larger_than_its_share(small: Path, tmp_path: Path, scattered: bool) -> None:
    table = pa.table({"label": [0, 1] * 100, "score": np.linspace(0, 1, 200), "user": [77] * 200})
    parquet.write_table(table, small / "1b.parquet")
    if scattered:
        shutil.copy(small / "0.parquet", small / "0b.parquet")
    said = refused(streamed, small, Streaming(replace(TINY, group=2000), tmp_path))
    said.both_name("'77'", "--memory")


def test_no_thread_outlives_its_stream(small: Path, tmp_path: Path) -> None:
    """Neither of rows that lie scattered nor of a refused one, while its error is kept: a thread that the garbage collector ends may wait for itself."""
    shutil.copy(small / "0.parquet", small / "0b.parquet")
    table = parquet.read_table(small / "1.parquet")
    before, threads = set(threading.enumerate()), []
    how = Streaming(TINY, tmp_path, say=lambda text: threads.append(set(threading.enumerate())))
    streamed(small, how)
    parquet.write_table(table.set_column(0, "label", pa.array([7] * table.num_rows)), small / "1.parquet")
    with pytest.raises(pc.InputError):
        streamed(small, how)
    assert len(threads) == 2 and set.union(*threads, threading.enumerate()) <= before


def test_types_that_change_from_file_to_file(small: Path, tmp_path: Path) -> None:
    """Numbers widen as in a table read at once; words beside numbers do not go."""
    table = parquet.read_table(small / "1.parquet")
    wide = table.set_column(1, "score", table.column("score").cast(pa.float32()))
    parquet.write_table(wide, small / "1.parquet")
    whole = pc.evaluate_binary("label", "score", METRICS, data=small, group="user")
    assert streamed(small, Streaming(TINY, tmp_path)).to_json() == whole.to_json()
    words = table.set_column(2, "user", table.column("user").cast(pa.string()))
    parquet.write_table(words, small / "1.parquet")
    refused(streamed, small, Streaming(TINY, tmp_path)).both_name("rows")


@pytest.mark.sweep
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 100, 2000]), st.booleans())
def test_classes_and_numbers(tmp_path_factory: pytest.TempPathFactory, seed: int, chunk: int, words: bool) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (2, 50))
    table = pa.table(
        {
            "true": codes[0].astype(str) if words else codes[0],
            "pred": codes[1].astype(str) if words else codes[1],
            "y": rng.standard_normal(50),
            "yhat": rng.standard_normal(50),
            "weight": rng.integers(0, 3, 50),
        }
    )
    path = Predictions(table, (13, 29), "parquet" if words else "csv").write(tmp_path_factory.mktemp("rows"))
    how = Streaming(replace(TINY, chunk=chunk))
    classes = ["accuracy", "f1(average=macro)", "kappa"]
    stream = opened(path, "true", "pred", "weight")
    found: Any = stream_rows(
        Request.of("multiclass", classes), stream, TableColumns("true", "pred", weight="weight"), how
    )
    whole: Any = pc.evaluate_multiclass("true", "pred", classes, data=path, weight="weight")
    assert found.to_json(per_query=True) == whole.to_json(per_query=True)
    stream = opened(path, "y", "yhat", numbers=("y", "yhat"))
    found = stream_rows(Request.of("regression", ["mae", "r2"]), stream, TableColumns("y", "yhat"), how)
    assert found.to_json() == pc.evaluate_regression("y", "yhat", ["mae", "r2"], data=path).to_json()


def test_a_stream_needs_the_name_of_its_scores(small: Path) -> None:
    refused(pc.evaluate_binary, "label", None, data=small, memory="17MB").both_name("y_score=", "memory=")


@pytest.mark.parametrize("group", ["user", None], ids=["groups", "rows"])
def test_labels_that_are_missing_in_the_first_chunk(group: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("label,score,user\n" + ",0.5,a\n" * 40 + "1,0.5,a\n0,0.25,b\n" * 40)
    found = refused(lambda: streamed(path, Streaming(TINY), ["auc"], group=group))
    whole = refused(pc.evaluate_binary, "label", "score", ["auc"], data=path, group=group)
    assert found.en.partition(" (")[0] == whole.en.partition(" (")[0]
    found.both_name(f"{path}:2")


def test_a_blank_chunk(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = "".join(f"{row % 2},0.{row},u{row}\n" for row in range(40))
    path.write_text("label,score,user\n" + "\n" * 3000 + rows + "\n" * 3000)
    whole = pc.evaluate_binary("label", "score", ["auc", "logloss"], data=path)
    assert streamed(path, Streaming(TINY), ["auc", "logloss"], group=None).to_json() == whole.to_json()


def test_slices_share_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every slice is a state of its own, beside that of all rows, and for each column one of rows without a value."""
    table = pa.table({"label": [0, 1] * 20, "score": np.linspace(0, 1, 40), "user": [*range(4)] * 10})
    path = Predictions(table, (), "parquet").write(tmp_path)
    states: list[int] = []
    divided = RowBudget.divided

    def counting(budget: RowBudget, count: int) -> RowBudget:
        states.append(count)
        return divided(budget, count)

    monkeypatch.setattr(RowBudget, "divided", counting)
    columns = TableColumns("label", "score", by={"user": "user"})
    stream_rows(Request.of("binary", ["auc"]), opened(path, "label", "score", "user"), columns, Streaming(TINY))
    assert states == [1 + (1 + 4)]
