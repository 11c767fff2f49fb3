"""What is fuzzed: each parser, how its inputs are made, and what must hold whatever the input is."""

from __future__ import annotations

import bz2
import gzip
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pyarrow as pa

import pingce as pc
from pingce.base.core import native_core
from pingce.inputs import read_excluded, read_weights
from pingce.inputs.columns import Reading, Role, Rows
from pingce.inputs.files import File
from pingce.inputs.tables import BY_NAME
from pingce.inputs.tables.shapes import PAIRS, QRELS, RUN, SHORT_RUN, WEIGHTS, Shape
from pingce.inputs.tables.trec import NOT_A_NUMBER, parse_reference
from pingce.metrics.grammar import parse_metrics

from .mutate import damaged, number
from .states import check_state, forged

OFFSETS = ("query_start", "query_end", "item_start", "item_end")
CHUNK = 1 << 20


@dataclass(frozen=True)
class Target:
    """A parser under fire; of a million cases it gets `share`, and an input holds `cases` of them."""

    name: str
    share: int
    make: Callable[[Random], bytes]
    check: Callable[[bytes], None]
    cases: int = 1


def array_of(text: bytes) -> Any:
    """The bytes in a block of memory of exactly their length: a read beyond its end is seen by the sanitizer."""
    return np.frombuffer(text, np.uint8).copy()


def native_columns(text: bytes, shape: Shape, threads: int, *, within: bool = False) -> dict[str, Any]:
    core = native_core()
    assert core is not None, "the native core is what is fuzzed"
    places = shape.query, shape.item, shape.value, shape.fields, shape.exact
    return core.parse_text(array_of(text), *places, threads, within)


def bits(values: Any) -> bytes:
    """Doubles to the bit; every NaN is one NaN."""
    return np.where(np.isnan(values), np.nan, values).tobytes()


def agree(text: bytes, shape: Shape, threads: Sequence[int]) -> None:
    """The native parser and the plain one find the same rows, or the same fault at the same place."""
    within = text[:1] == b"#"  # as a part of a longer text, which such a line is a comment or a fault in
    plain = parse_reference(array_of(text), shape, within=within)
    for count in threads:
        found = native_columns(text, shape, count, within=within)
        assert (found["fault"], found["fault_at"]) == (plain["fault"], plain["fault_at"]), "another fault"
        if plain["fault"]:
            continue
        assert found["comments"] == plain["comments"], "another number of comments"
        assert bits(found["value"]) == bits(plain["value"]), "another value"
        for name in OFFSETS:
            assert found[name].tolist() == np.asarray(plain[name]).tolist(), f"another {name}"


def read_as_python(text: bytes) -> None:
    """Each word is the double that Python's float() makes of it, or no number."""
    words = text.split()
    python = [_float(word) for word in words]
    good = b"".join(b"q 0 d %s\n" % word for word, value in zip(words, python, strict=True) if value is not None)
    found = native_columns(good, QRELS, 1)
    assert found["fault"] == 0, "a number of Python's is refused"
    assert bits(found["value"]) == bits(np.array([value for value in python if value is not None], np.float64))
    for word in (word for word, value in zip(words, python, strict=True) if value is None):
        found = native_columns(b"q 0 d %s" % word, QRELS, 1)
        assert (found["fault"], found["fault_at"]) == (NOT_A_NUMBER, 0), f"{word!r} is taken for a number"


def _float(word: bytes) -> float | None:
    try:
        return None if b"_" in word else float(word)
    except ValueError:
        return None


def rows_or_refusal(read: Callable[[], Rows]) -> None:
    """Rows that are whole, with a place for each, or one sentence in each language."""
    try:
        rows = read()
    except pc.InputError as refusal:
        assert_is_a_sentence(refusal)
        return
    assert len(rows) == len(rows.query) == len(rows.item) > 0, "columns of different length"
    assert len(rows.query.to_list()) == len(rows.item.to_list()) == len(rows)
    for row in {0, len(rows) - 1}:
        assert all(rows.describe(row)), "a row without a place"


def assert_is_a_sentence(refusal: pc.InputError) -> None:
    for said in refusal.text:
        assert said.strip(), "a refusal without words"
        assert said.isprintable(), "a refusal that is not one line"


def check_reader(text: bytes, input_format: str, role: Role) -> None:
    """The reader of a format, given the bytes of a file without the file."""
    file = File(Path("fuzz.txt"), role)
    file.__dict__["raw"] = array_of(text)
    rows_or_refusal(lambda: BY_NAME[input_format].open_rows(file, Reading(threads=1)).whole())


FILE_READERS: Final = (pc.read_truth, pc.read_run, read_excluded, read_weights)
_SCRATCH = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())


def check_file(text: bytes) -> None:
    """A file without a suffix: what it is, and whether it is compressed, its bytes must tell."""
    path = _SCRATCH / f"pingce-fuzz-{os.getpid()}"
    path.write_bytes(text)
    try:
        for read in FILE_READERS:
            rows_or_refusal(lambda read=read: read(path))  # type: ignore[misc]
    finally:
        path.unlink()


PREDICTIONS: Final = {
    "csv": (b"y,p,u\n1,0.9,a\n0,0.2,b\n1,0.5,a\n0,0.5,a\n", b"y,p,u\r\nyes,1e-3,007\r\nno,1,7\r\n", b'y,p,u\n"1","0.5","x,y"\n0,0,z'),
    "tsv": (b"y\tp\tu\n1\t0.9\ta\n0\t0.2\tb\n",),
    "jsonl": (
        b'{"y": 1, "p": 0.5, "u": "a"}\n{"y": 0, "p": 0.25, "u": "a"}\n',
        b'{"y": true, "p": 1, "u": 7}\n\n{"y": false, "p": 0, "u": 8}\n',
    ),
}  # fmt: skip


def check_predictions(text: bytes, input_format: str) -> None:
    """A table of labels, scores and users gives numbers, or one sentence in each language."""
    path = _SCRATCH / f"pingce-fuzz-{os.getpid()}.{input_format}"
    path.write_bytes(text)
    calls: tuple[Callable[[], Mapping[str, float]], ...] = (
        lambda: pc.evaluate_binary("y", "p", ["auc", "gauc", "logloss", "f1"], data=path, group="u"),
        lambda: pc.evaluate_binary("y", "p", ["pr_auc", "ece"], data=path, positive="yes"),
        lambda: pc.evaluate_multiclass("y", "u", ["accuracy", "f1"], data=path),
        lambda: pc.evaluate_regression("y", "p", ["rmse", "r2"], data=path),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PingceWarning)
            for call in calls:
                _numbers_or_refusal(call)
    finally:
        path.unlink()


def _numbers_or_refusal(call: Callable[[], Mapping[str, float]]) -> None:
    try:
        found = call()
    except pc.InputError as refusal:
        assert_is_a_sentence(refusal)
        return
    assert all(isinstance(value, (int, float)) for value in found.values()), "a value that is no number"


def check_metrics(text: bytes, task: str = "ranking") -> None:
    """Metrics whose canonical names mean the same metrics, or one sentence in each language."""
    try:
        asked = parse_metrics(text.decode("utf-8", "surrogateescape"), task=task)
    except pc.InputError as refusal:
        assert_is_a_sentence(refusal)
        return
    for one in asked:
        (again,) = parse_metrics([one.id], task=task)
        assert (again.id, again.metric, again.policies) == (one.id, one.metric, one.policies), f"{one.id} is another"


TREC_SEEDS: Final[dict[str, tuple[bytes, ...]]] = {
    "qrels": (b"q1 0 a 1\nq1 0 b 0\nq2 0 a 3\n", b"1\t0\t007\t2.5\r\n2\t0\t8\t-1\r\n", b"\n q 0 d 1e3 \n\n", b"q 0 d 1", b"# TREC DL 2024\nq 0 a 1\n # more of it\nq 0 b 1\n#\n"),
    "run": (
        b"q1 Q0 a 1 9.5 t\nq1 Q0 b 2 -8 t\nq2 Q0 a 1 1e-3 t\n",
        b"1\tQ0\t007\t1\t123456789.123\ta b c\r\n1 Q0 8 2 12 t\r\n",
        b"q Q0 d 1 0.1 t",
        b"q Q0 d 1 nan t a b c d e f g\n\n",
    ),
    "msmarco": (b"1\t10\t1\n1\t11\t2\n2\t10\t1\n", b"q d 1", b" q d 3 \r\n"),
    "pairs": (b"q1 a 1\nq1 b 1 more of it\n", b"q\td\t0\n"),
    "weights": (b"q1 1\nq2 0.5\n", b"1\t3\r\n\n2\t1e3", b"q 0"),
}  # fmt: skip
SHAPES: Final = {"qrels": QRELS, "run": RUN, "msmarco": SHORT_RUN, "pairs": PAIRS, "weights": WEIGHTS}
SEEDS: Final[dict[str, tuple[bytes, ...]]] = {
    "trec": tuple(seed for seeds in TREC_SEEDS.values() for seed in seeds),
    "csv": (
        b"qid,docid,score\nq1,a,2\nq1,b,1.5\n",
        b'query,item,grade,weight\r\n"q,1","a ""b""",1,1\r\n"two\nlines",c,2,1\r\n',
        b"user_id:token,item_id:token,rating:float\n1,2,5\n3,4,\n",
        b"query,item,rank\nq,a,1\nq,b,2\n\nq,c,3",
        b"query,weight\nq1,2\nq2,0.5\n",
    ),
    "tsv": (
        b"qid\tdocid\tscore\nq1\ta\t2\nq1\tb\t1.5\n",
        b"query-id\tcorpus-id\tscore\r\nq\td\t1\r\n",
        b"query\tweight\nq1\t2\n",
    ),
    "jsonl": (
        b'{"query": "q1", "item": "a", "score": 2}\n{"query": "q1", "item": "b", "score": 1.5}\n',
        b'{"query": 1, "item": 2, "grade": 1, "weight": 0.5}\n\n{"query": 1, "item": 3, "grade": true, "weight": 2}\n',
        b'{"user_id:token": "1", "item_id:token": "2", "rating:float": 5}\n' * 3,
        b'{"qid": "\\u4e2d", "docid": "x\\n", "rank": 1, "x": {"y": [1, null]}}',
    ),
    "json": (
        b'{"q1": {"a": 1, "b": 2.5}, "q2": {"c": 0}}',
        b'{"q1": ["a", "b"], "q2": ["c"], "q3": []}',
        b'{"q": {"a": 9007199254740993, "b": 1e400}}',
    ),
}  # fmt: skip
METRIC_SEEDS: Final = (
    b"ndcg@10", b"ndcg(gain=linear,discount=log2)@10,map", b"ap(norm=min)@100", b"P_10", b"ndcg_cut.5", b"iprec(recall=0.1)",
    b"iprec_at_recall_0.20", b"rbp(p=0.8)", b"ndcg(gain={1:1,2:3.5})@5", b"rr(relevant=2, ties=expected)@3", b"f(beta=2)@10", b"Rprec",
    b"recall(rel=any)@7, err@20", b"set_F", b"num_q", b"precision(over=min, missing=skip)",
)  # fmt: skip

SCORE_METRIC_SEEDS: Final = (
    b"auc", b"gauc(by=clicks)", b"f(beta=2, threshold=0.3)", b"lift@0.1,gain@0.25", b"ece(bins=10,binning=quantile)", b"logloss(eps=1e-7)",
    b"partial_auc(max_fpr=0.2)", b"precision(threshold=0.5,compare=gt)", b"best_f_threshold", b"pr_auc(interpolation=trapezoid)",
)  # fmt: skip


BATCH = 16
BETWEEN = b"\x1d\x1e\x1d"
"Parts the texts of a batch; that a text may hold it by chance does no harm."


def texts(rng: Random, seeds: Sequence[bytes]) -> bytes:
    return BETWEEN.join(damaged(rng, seeds) for _ in range(BATCH))


def numbers(rng: Random) -> bytes:
    return b"\n".join(number(rng) for _ in range(BATCH))


def metric_names(rng: Random) -> bytes:
    return damaged(rng, METRIC_SEEDS)


PACKERS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    partial(gzip.compress, mtime=0),
    bz2.compress,
    partial(pa.compress, codec="zstd", asbytes=True),
)


def packed(rng: Random) -> bytes:
    """Text of any format, as it is or compressed; what is compressed may be damaged before, after, or both."""
    text = damaged(rng, SEEDS[rng.choice(tuple(SEEDS))])
    kind = rng.randrange(4)
    if kind == 3:
        return text
    raw = PACKERS[kind](text)
    return damaged(rng, [raw]) if rng.random() < 0.5 else raw


def long_text(rng: Random) -> bytes:
    """More than one chunk of the parser, with damage where chunks meet and somewhere else."""
    line = b"q%d 0 %s 1.5\n" % (rng.randrange(9), b"d" * rng.randrange(60, 400))
    text = bytearray(line * (rng.randrange(CHUNK - 500, 3 * CHUNK) // len(line)))
    edge = CHUNK + rng.randrange(-3, len(line) + 3)
    if rng.random() < 0.5:
        text[edge:edge] = rng.choice(
            (b"\n", b"\n\n", b"\r\n", b" ", b"", b"\0", b"\n" * 2000, b" " * CHUNK, b"x" * CHUNK)
        )
    if rng.random() < 0.3:
        at = rng.randrange(len(text))
        text[at:at] = damaged(rng, TREC_SEEDS["qrels"])
    return bytes(text)


def check_long(text: bytes) -> None:
    agree(text, QRELS, (1, 2, 3))


def check_trec(text: bytes, name: str) -> None:
    """Texts with a fault are parsed alone; those without one in one go: a call costs more than a text."""
    shape = SHAPES[name]
    faulty: dict[bool, list[bytes]] = {False: [], True: []}
    for one in text.split(BETWEEN):
        faulty[bool(parse_reference(array_of(one), shape)["fault"])].append(one)
    for one in (b"\n".join(faulty[False]), *faulty[True]):
        agree(one, shape, (2,))


def _targets() -> list[Target]:
    found = [
        Target(name, share, partial(texts, seeds=TREC_SEEDS[name]), partial(check_trec, name=name), BATCH)
        for name, share in zip(SHAPES, (200_000, 200_000, 90_000, 50_000, 50_000), strict=True)
    ]
    found += [
        Target("numbers", 200_000, numbers, read_as_python, BATCH),
        Target("metrics", 70_900, metric_names, check_metrics),
        Target(
            "metrics of scores",
            30_000,
            partial(damaged, seeds=SCORE_METRIC_SEEDS),
            partial(check_metrics, task="binary"),
        ),
        Target("long texts", 100, long_text, check_long),
        Target("files", 2_000, packed, check_file),
        Target("states", 10_000, forged, check_state),
    ]
    found += [
        Target(
            f"predictions in {name}",
            share,
            partial(damaged, seeds=PREDICTIONS[name]),
            partial(check_predictions, input_format=name),
        )
        for name, share in {"csv": 3_000, "tsv": 1_500, "jsonl": 2_500}.items()
    ]
    shares = {"trec": 4_000, "csv": 6_000, "tsv": 4_000, "jsonl": 5_000, "json": 6_000}
    roles: tuple[Role, ...] = ("truth", "run", "exclude", "weights")
    return found + [
        Target(
            f"{name} as {role}", shares[name],
            partial(damaged, seeds=SEEDS[name]), partial(check_reader, input_format=name, role=role),
        )
        for name in SEEDS
        for role in roles
    ]  # fmt: skip


TARGETS: Final = {target.name: target for target in _targets()}
