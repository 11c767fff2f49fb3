"""Text in other encodings than UTF-8: read where the encoding is said or marked, refused with line and byte where not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.cli import run as command
from pingce.inputs import read_excluded, read_run, read_truth, read_weights

from .samples import (
    Triples,
    columns_of,
    delimited,
    json_lines,
    lines,
    parquet_bytes,
    refused,
    scored,
    table,
    triples,
    write,
)

# Words that GB18030, Big5 and the UTFs can all write.
TRUTH: dict[str, dict[str, int]] = {
    "q1": {"文件": 3, "d7": 1, "上海": 2},
    "北京": {"上海": 1, "d1": 0},
    "q2": {"文": 1},
}
RUN: dict[str, dict[str, float]] = {"q1": {"d7": 3.5, "上海": 2.0, "文件": 1.0}, "北京": {"d1": 2.0, "上海": 1.5}}
NAMES = ("query_id", "doc_id", "score")

FORMATS: dict[str, Callable[[Triples, bool], bytes]] = {
    "a.trec": lambda rows, truth: lines("{0} 0 {1} {2}" if truth else "{0} Q0 {1} 1 {2} tag", rows),
    "a.csv": lambda rows, _: delimited(NAMES, rows, ","),
    "a.tsv": lambda rows, _: delimited(NAMES, rows, "\t"),
    "a.jsonl": lambda rows, _: json_lines(NAMES, rows),
    "a.json": lambda rows, _: json.dumps(_nested(rows), ensure_ascii=False).encode(),
}
ENCODINGS = ["gb18030", "big5", "utf-16", "utf-16-le", "UTF8", "utf-8-sig"]


def _nested(rows: Triples) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for query, item, number in rows:
        found.setdefault(query, {})[item] = number
    return found


def in_files(folder: Path, name: str, encode: Callable[[str], bytes]) -> tuple[Path, Path]:
    """Truth and run in one format, as text in some encoding."""
    paths = []
    for side, data in (("truth", TRUTH), ("run", RUN)):
        text = FORMATS[name](triples(data), side == "truth").decode()
        (folder / side).mkdir()
        paths.append(write(folder / side, name, encode(text)))
    return paths[0], paths[1]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", FORMATS)
def test_an_encoding_that_is_said(name: str, encoding: str, core: str, tmp_path: Path) -> None:
    truth, run = in_files(tmp_path, name, lambda text: text.encode(encoding))
    assert scored(truth, run, encoding=encoding) == scored(TRUTH, RUN)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-16-be with a mark"])
@pytest.mark.parametrize("name", FORMATS)
def test_an_encoding_that_is_marked(name: str, mark: str, core: str, tmp_path: Path) -> None:
    encoding = mark.split(maxsplit=1)[0]
    truth, run = in_files(tmp_path, name, lambda text: (text if mark == encoding else "\ufeff" + text).encode(encoding))
    assert scored(truth, run) == scored(TRUTH, RUN)


@pytest.mark.parametrize("name", FORMATS)
def test_compressed_text(name: str, tmp_path: Path) -> None:
    truth, run = in_files(tmp_path, name, lambda text: gzip.compress(text.encode("gb18030")))
    assert scored(truth, run, encoding="gb18030") == scored(TRUTH, RUN)


def test_letters_of_four_bytes(tmp_path: Path) -> None:
    path = write(tmp_path, "a.qrels", "🙂 0 𠀀 1\n".encode("gb18030"))
    assert columns_of(read_truth(path, encoding="gb18030")) == (["🙂"], ["𠀀"], [1.0])


def test_the_encoding_is_that_of_every_text_file(tmp_path: Path) -> None:
    truth, run = in_files(tmp_path, "a.trec", lambda text: text.encode("gb18030"))
    excluded = write(tmp_path, "seen.csv", "query_id,doc_id\n北京,d1\n".encode("gb18030"))
    weights = write(tmp_path, "weights.txt", "q1 1\nq2 1\n北京 3\n".encode("gb18030"))
    found = pc.evaluate_ranking(truth, run, "rr", exclude=excluded, query_weight=weights, encoding="gb18030")
    assert (found["rr"], found.counts["excluded"]) == (0.8, 1)


def test_ascii_is_read_whatever_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, "a.qrels", "q 0 a 1\n")
    assert columns_of(read_truth(path, encoding="big5")) == (["q"], ["a"], [1.0])


def test_parquet_knows_its_encoding(tmp_path: Path) -> None:
    path = write(tmp_path, "a.parquet", parquet_bytes(table([("查询", "文档", 1.0)], NAMES)))
    assert columns_of(read_run(path, encoding="gb18030")) == (["查询"], ["文档"], [1.0])


@pytest.mark.parametrize(
    ("given", "hint"),
    [("gb18O30", "gb18030"), ("utf-88", "utf-8"), ("bgi5", "big5"), ("gkb", "gbk"), ("nonsense", ""), ("hex", "")],
)
@pytest.mark.parametrize("name", ["a.trec", "a.json"])
def test_an_encoding_nobody_knows(name: str, given: str, hint: str, tmp_path: Path) -> None:
    truth, _ = in_files(tmp_path, name, str.encode)
    said = refused(read_truth, truth, encoding=given)
    said.both_name(f"'{given}'", "gb18030", "big5")
    assert not hint or f"did you mean '{hint}'" in said.en


@pytest.mark.parametrize("name", FORMATS)
def test_another_encoding_than_utf8(name: str, tmp_path: Path) -> None:
    """The line is that of the file, and the way out is named."""
    text = FORMATS[name](triples({"q1": {"a": 1, "b": 2, "文": 3}}), True).decode()
    line = text[: text.index("文")].count("\n") + 1
    path = write(tmp_path, name, text.encode("gb18030"))
    said = refused(read_truth, path)
    said.both_name(f"{path}:{line}", "0xce", "utf-8", "--encoding gb18030", "encoding='gb18030'")


@pytest.mark.parametrize(
    ("content", "encoding", "line", "byte"),
    [
        ("q 0 a 1\nq 0 文 1\n".encode(), "ascii", 2, "0xe6"),
        (b"q 0 a 1\nq 0 \xff\xff 1\n", "gb18030", 2, "0xff"),
        (b"q 0 a 1\nq 0 b 1\nq 0 \xa4", "big5", 3, "0xa4"),
        ("q 0 上 1\nq 0 上 1\nq 0 ".encode("utf-16-le") + b"\x00\xd8x\x00", "utf-16-le", 3, "0x00"),
    ],
    ids=["ascii", "gb18030", "cut short", "utf-16"],
)
def test_the_wrong_encoding(content: bytes, encoding: str, line: int, byte: str, tmp_path: Path) -> None:
    """上 is 0x4e0a in UTF-16: not every 0x0a is a line feed."""
    path = write(tmp_path, "a.qrels", content)
    refused(read_truth, path, encoding=encoding).both_name(f"{path}:{line}", byte, encoding, "--encoding utf-8")


def test_marked_utf16_that_is_broken(tmp_path: Path) -> None:
    path = write(tmp_path, "a.qrels", "q 0 a 1\n".encode("utf-16") + b"q")
    refused(read_truth, path).both_name(f"{path}:2", "utf-16")


@pytest.mark.parametrize("text", ["", "\ufeff", "\ufeff\n"])
def test_nothing_but_a_mark(text: str, tmp_path: Path) -> None:
    assert "empty" in refused(read_truth, write(tmp_path, "a.qrels", text)).en


@pytest.mark.parametrize("read", [read_truth, read_run, read_excluded, read_weights])
def test_every_reader_takes_an_encoding(read: Callable[..., Any], tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "query_id,doc_id,score,weight\n北京,上海,1,2\n".encode("big5"))
    refused(read, path).both_name(f"{path}:2", "--encoding")
    assert read(path, encoding="big5").query.to_list() == ["北京"]


@pytest.mark.parametrize("encoding", ["gb18030", "big5"])
def test_from_the_shell(encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, run = in_files(tmp_path, "a.csv", lambda text: text.encode(encoding))
    words = ["eval", str(truth), str(run), "-m", "rr", "-q", "-f", "json", "--lang", "en"]
    assert command([*words, "--encoding", encoding]) == 0
    assert json.loads(capsys.readouterr().out)["per_query"]["query"] == sorted(TRUTH)
    assert command(words) == 2
    assert f"{truth}:2: byte 0x" in capsys.readouterr().err
    assert command([*words, "--encoding", "gb18O30"]) == 2
    assert "did you mean 'gb18030'" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
def test_marks_of_wide_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes("查询 0 文档 1\n".encode(encoding))
    for named in (None, encoding, "gb18030"):
        assert pc.read_truth(path, encoding=named).query.to_list() == ["查询"]


def test_text_is_checked_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters lie on both sides of every cut."""
    monkeypatch.setattr("pingce.inputs.content._PART", 2)
    path = tmp_path / "t"
    path.write_bytes("q 0 文档 1\nq 0 𝄞 1\n".encode())
    assert pc.read_truth(path).item.to_list() == ["文档", "𝄞"]
    path.write_bytes("q 0 文档 1\nq 0 ".encode() + "文".encode()[:2] + b" 1\n")
    with pytest.raises(pc.InputError, match=r"t:2: byte 0xe6 is not utf-8"):
        pc.read_truth(path)


LINES = "".join(f"查询{row} Q0 文档{row} 1 {row}.5 标签\n" for row in range(40))


@pytest.mark.parametrize("memory", [None, "16MiB"])
@pytest.mark.parametrize("encoding", ["punycode", "utf-7", "unicode_escape", "raw_unicode_escape", "idna", "Punycode"])
def test_what_is_no_text_in_lines(encoding: str, memory: str | None, tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", b"q Q0 a 1 1 t\n")
    said = refused(pc.evaluate_ranking, {"q": ["a"]}, path, encoding=encoding, memory=memory)
    said.both_name(f"'{encoding}'", "utf-8", "gb18030", "utf-16", "shift_jis")


@pytest.mark.parametrize("wide", ["utf-16", "utf-32"])
def test_wide_letters_without_a_mark(wide: str, tmp_path: Path) -> None:
    """Read at once or in pieces, they begin with the low byte, on every machine."""
    path = write(tmp_path, "a.run", LINES.encode(f"{wide}-le"))
    for memory in (None, "16MiB"):
        scores = pc.evaluate_ranking({"查询1": ["文档1"]}, path, ["rr"], encoding=wide, memory=memory)
        assert scores["rr"] == 1.0


def outcome(path: Path, encoding: str, memory: str | None) -> str:
    """A number, or what was said."""
    try:
        return str(pc.evaluate_ranking({"查询1": ["文档1"]}, path, ["rr"], encoding=encoding, memory=memory)["rr"])
    except pc.InputError as problem:
        return str(problem)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoding", ["utf-16", "gb18030", "utf-32", "utf-16-be", "gbk"])
@pytest.mark.parametrize("cut", range(1, 4))
@pytest.mark.parametrize("damage", [b"", b"\xff\xff\xff\xff", b"\x00\xd8", b"\x81", b"\xdc\x00\xdc"])
def test_damaged_text(encoding: str, cut: int, damage: bytes, tmp_path: Path) -> None:
    """A sentence, or rows: the same at once and in pieces."""
    raw = LINES.encode(encoding)
    half = len(raw) // 2
    for text in ((raw[:half] + damage + raw[half:])[:-cut], damage[:1] + raw[cut:]):
        path = write(tmp_path, "a.run", text)
        assert outcome(path, encoding, None) == outcome(path, encoding, "16MiB")


def test_half_of_a_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoding that is taken makes one today; one that did would be told."""
    monkeypatch.setattr("pingce.inputs.content._NOT_IN_LINES", ())
    path = write(tmp_path, "a.run", b"q Q0 a 1 1 t\nq Q0 +2AA- 1 1 t\n")
    said = refused(read_run, path, encoding="utf-7")
    said.both_name(f"{path}:2", "--encoding")
    assert said == refused(pc.evaluate_ranking, {"q": ["a"]}, path, encoding="utf-7", memory="16MiB")
