"""Files in chunks: the same rows, names, notes and places as read at once, however small the chunks are."""

from __future__ import annotations

import bz2
import gzip
import os
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from pingce.inputs.columns import Reading, Role, Wanted
from pingce.inputs.paths import read_columns as read_predictions
from pingce.inputs.paths import read_rows
from pingce.inputs.streams import RowStream, one_ahead, open_rows, open_table
from pingce.inputs.tables import FORMATS
from pingce.inputs.tables.text import TextFile, pieces

from .samples import RUN_FILES, TRUTH_FILES, columns_of, refused, write

CHUNKS = (1, 90, 700, 1 << 20)
AT_ONCE = tuple(suffix for each in FORMATS if not each.streams for suffix in each.suffixes)
FILES: dict[tuple[Role, str], Callable[[], bytes]] = {
    **{("truth", name): made for name, made in TRUTH_FILES.items()},
    **{("run", name): made for name, made in RUN_FILES.items()},
}


def opened(path: Path, role: Role = "run", **reading: Any) -> RowStream:
    found = open_rows(path, role, Reading(**reading))
    assert found is not None
    return found


def same_rows(path: Path, role: Role, memory: int, **reading: Any) -> int:
    """Compare all that can be seen of the rows; how many chunks there were."""
    whole = read_rows(path, role, Reading(**reading))
    stream = opened(path, role, **reading)
    chunks = list(stream.chunks(memory))
    columns = [columns_of(chunk) for chunk in chunks]
    assert tuple([value for one in columns for value in one[place]] for place in range(3)) == columns_of(whole)
    assert {(chunk.meaning, chunk.source.name, chunk.source.untyped_ids) for chunk in chunks} == {
        (whole.meaning, whole.source.name, whole.source.untyped_ids)
    }
    before = 0
    for chunk in chunks:
        assert len(chunk)
        assert chunk.source.place(len(chunk) - 1) == whole.source.place(before + len(chunk) - 1)
        before += len(chunk)
    assert (stream.rows, stream.done, stream.notes) == (len(whole), 1.0, whole.source.notes)
    return len(chunks)


@pytest.mark.parametrize("role, name", FILES)
def test_every_format(tmp_path: Path, role: Role, name: str) -> None:
    content = FILES[role, name]()
    path = write(tmp_path, name, content)
    if open_rows(path, role, Reading()) is None:
        assert path.suffix in AT_ONCE or content.startswith((b"{", b"ARROW1"))
        return
    counts = [same_rows(path, role, memory) for memory in CHUNKS]
    assert min(counts[:2]) > counts[-1] == 1


@pytest.mark.parametrize("squeeze", [gzip.compress, bz2.compress, lambda raw: pa.compress(raw, "zstd", asbytes=True)])
def test_compressed(tmp_path: Path, squeeze: Callable[[bytes], bytes], core: str) -> None:
    raw = FILES["run", "spaces.run"]() * 50
    half = raw.index(b"\n", len(raw) // 2) + 1
    path = write(tmp_path, "a.run.packed", squeeze(raw[:half]) + squeeze(raw[half:]))
    assert same_rows(path, "run", 2000) > 3
    for cut in (3, len(path.read_bytes()) // 3):
        write(tmp_path, "cut.run.packed", path.read_bytes()[:-cut])
        with pytest.raises(ValueError, match="damaged or cut short"):
            list(opened(tmp_path / "cut.run.packed").chunks(2000))


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    text = FILES["run", "spaces.run"]().decode()
    path = write(tmp_path, "a.run", text.encode(encoding))
    same_rows(path, "run", 60, encoding=encoding)
    write(tmp_path, "bad.run", text.encode(encoding) * 40 + b"\xff\xff\xff\n")
    said = refused(lambda: list(opened(tmp_path / "bad.run", encoding=encoding).chunks(300)))
    assert said == refused(read_rows, tmp_path / "bad.run", "run", Reading(encoding=encoding))


@given(st.lists(st.text('",\r\nab', max_size=8), min_size=1, max_size=8), st.integers(1, 30))
def test_a_record_is_never_cut(tmp_path_factory: pytest.TempPathFactory, fields: list[str], size: int) -> None:
    """Quoted line ends, doubled quotes, and quotes that open nothing, since they do not begin a field."""
    quoted = ['"{}"'.format(field.replace('"', '""')) for field in fields]
    stray = [field.replace(",", "").replace("\n", "").replace("\r", "").lstrip('"') + "x" for field in fields]
    ends = set()
    text = ""
    for one, other in zip(quoted, stray, strict=True):
        text += f"{one},{other}\n"
        ends.add(len(text.encode()))
    path = write(tmp_path_factory.mktemp("csv"), "a.csv", text)
    with closing(TextFile(path, None)) as file:
        cut = list(pieces(file, size, ","))
    assert b"".join(piece.tobytes() for _, piece in cut) == text.encode()
    assert {begin + len(piece) for begin, piece in cut} <= ends


def folder_of(tmp_path: Path, tables: list[pa.Table]) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, table in enumerate(tables):
        parquet.write_table(table, folder / f"part-{number}.parquet", row_group_size=7)
    return folder


def queries(count: int, kind: str = "int64") -> pa.Table:
    ids = pa.array(np.arange(count) // 3).cast(pa.string() if kind != "int64" else pa.int64())
    ids = ids.dictionary_encode() if kind == "dictionary" else ids
    return pa.table({"user_id": ids, "item_id": np.arange(count), "score": np.linspace(0, 1, count)})


@pytest.mark.parametrize("kind", ["int64", "string", "dictionary"])
def test_a_folder(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path, [queries(20, kind), queries(0, kind), queries(33, kind)])
    for memory in (100, 5000, 1 << 20):
        same_rows(folder, "run", memory)


def test_an_order_goes_on_from_file_to_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, [queries(20).drop_columns("score"), queries(9).drop_columns("score")])
    (folder / "zz-empty.csv").write_text("")
    (folder / "zz-none.csv").write_text("user_id,item_id\n")
    write(tmp_path, "text.csv", "user_id,item_id\n" + "".join(f"{row // 4},i{row}\n" for row in range(30)))
    same_rows(folder, "run", 100)
    same_rows(tmp_path / "text.csv", "run", 64)


def test_nothing_at_all(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, [queries(0), queries(0)])
    said = refused(lambda: list(opened(folder).chunks(100)))
    said.both_name("part-1.parquet")


@pytest.mark.parametrize("damage", ["end", "middle"])
def test_a_damaged_file_in_the_middle_of_a_folder(tmp_path: Path, damage: str) -> None:
    folder = folder_of(tmp_path, [queries(200), queries(300), queries(200)])
    path = folder / "part-1.parquet"
    content = bytearray(path.read_bytes())
    if damage == "end":
        content = content[:-40]
    else:
        content[60 : len(content) // 2] = bytes(len(content) // 2 - 60)
    path.write_bytes(content)

    def read() -> None:
        list(opened(folder).chunks(500))

    refused(read).both_name(path, "Parquet")


def test_other_ids_in_a_later_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, [queries(20), queries(20, "string")])
    said = refused(lambda: list(opened(folder).chunks(100)))
    assert said == refused(read_rows, folder, "run", Reading())
    said.both_name("part-0.parquet", "part-1.parquet")


def test_null_ids_and_bad_lines_are_placed_in_the_file(tmp_path: Path) -> None:
    table = queries(40)
    odd = table.set_column(0, "user_id", pa.array([None if row == 33 else row for row in range(40)]))
    folder = folder_of(tmp_path, [table, odd])
    refused(lambda: list(opened(folder).chunks(100))).both_name(folder / "part-1.parquet", "33")
    lines = [f"q{row} Q0 d{row} 1 {row} t" for row in range(50)]
    path = write(tmp_path, "bad.run", "\n\n" + "\n".join([*lines[:45], "q45 Q0 d45", *lines[46:]]))
    said = refused(lambda: list(opened(path).chunks(300)))
    assert said == refused(read_rows, path, "run", Reading())
    said.both_name(f"{path}:48")


def test_a_file_that_changes(tmp_path: Path) -> None:
    text = FILES["run", "spaces.run"]() * 200
    paths = [write(tmp_path, "a.run", text), write(tmp_path, "a.run.gz", gzip.compress(text))]
    parquet.write_table(queries(3000), tmp_path / "a.parquet", row_group_size=100)
    for path in (*paths, tmp_path / "a.parquet"):
        chunks = opened(path).chunks(2000)
        next(chunks)
        with path.open("ab") as file:
            file.write(b"\n")
        said = refused(lambda chunks=chunks: list(chunks))
        assert "changed while it was read" in said.en


def test_a_file_that_changes_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(queries(3000), path, row_group_size=100)
    stream = opened(path)
    parquet.write_table(queries(2900), path, row_group_size=100)
    assert "changed while it was read" in refused(lambda: list(stream.chunks(2000))).en


TRUE = Wanted(("label", "score", "user"), texts=("user",), numbers=("score",))


def predictions(label: str = "int64", score: str = "float32", count: int = 25) -> pa.Table:
    rows = np.arange(count)
    return pa.table({"label": (rows % 2).astype(label), "score": (rows / 7).astype(score), "user": rows // 5})


def same_table(path: Path, memory: int, wanted: Wanted = TRUE) -> int:
    whole, source = read_predictions(path, wanted, Reading())
    stream = open_table(path, wanted, Reading())
    assert stream is not None
    chunks = list(stream.chunks(memory))
    assert pa.concat_tables([table for table, _ in chunks]).equals(whole)
    assert chunks[-1][1].place(chunks[-1][0].num_rows - 1) == source.place(whole.num_rows - 1)
    assert {one.name for _, one in chunks} == {source.name}
    return len(chunks)


@pytest.mark.parametrize("memory", [50, 400, 1 << 20])
def test_tables(tmp_path: Path, memory: int) -> None:
    kinds = [("int64", "float32"), ("int8", "float64"), ("bool", "float32")]
    folder = folder_of(tmp_path, [predictions(*kind) for kind in kinds[:2]])
    same_table(folder, memory)
    same_table(folder / "part-0.parquet", memory)
    for delimiter in ",\t":
        rows = [f"{row % 2}{delimiter}u{row // 5}{delimiter}{row / 7}" for row in range(25)]
        name = "a.csv" if delimiter == "," else "a.tsv"
        same_table(write(tmp_path, name, "\n".join([delimiter.join(("label", "user", "score")), *rows])), memory)


def test_types_that_do_not_go_together(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, [predictions(), predictions().set_column(0, "label", pa.array(["a"] * 25))])
    said = refused(open_table, folder, TRUE, Reading())
    assert said == refused(read_predictions, folder, TRUE, Reading())


def test_a_column_that_turns_out_to_be_something_else(tmp_path: Path) -> None:
    """Read at once the whole file says what it holds; in chunks the first rows do."""
    rows = [f"{row % 2},u{row // 5},{row / 7}" for row in range(60)]
    path = write(tmp_path, "a.csv", "\n".join(["label,user,score", *rows, "yes,u9,0.5"]))
    stream = open_table(path, TRUE, Reading())
    assert stream is not None
    said = refused(lambda: list(stream.chunks(300)))
    said.both_name(f"{path}:62", "'yes'", "'label'", "int64", "--memory")


def test_what_is_read_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path, "a.jsonl", '{"label": 1, "score": 0.5, "user": 1}\n')
    for path in (tmp_path / "pipe", Path("-"), tmp_path / "a.jsonl", tmp_path / "absent.csv"):
        assert open_rows(path, "run", Reading()) is None
        assert open_table(path, TRUE, Reading()) is None
    assert open_rows(write(tmp_path, "w.tsv", "query\tweight\n1\t2\n"), "weights", Reading()) is None


def test_an_iterator_that_is_collected_by_its_own_reader_ends_without_a_word() -> None:
    """The collector runs in any thread: also in the one that reads ahead for the iterator that it throws away."""
    is_waiting, problems = threading.Event(), list[BaseException]()

    def items() -> Generator[int, None, None]:
        yield 1
        is_waiting.wait(10)
        try:
            ahead.close()  # type: ignore[attr-defined]
        except BaseException as problem:
            problems.append(problem)
        yield 2

    ahead = one_ahead(items())
    assert next(ahead) == 1
    is_waiting.set()
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(10)
    assert problems == []
    assert list(ahead) == []


def test_one_ahead_and_no_more() -> None:
    made: list[int] = []
    closed = threading.Event()

    def items() -> Generator[int, None, None]:
        try:
            for number in range(100):
                made.append(number)
                yield number
        finally:
            closed.set()

    with closing(one_ahead(items())) as found:  # type: ignore[type-var]
        for number in found:
            assert made[-1] <= number + 1
            if number == 5:
                break
    assert closed.is_set()
    assert len(made) <= 7


def test_a_stream_says_what_it_takes(tmp_path: Path) -> None:
    """The estimate decides whether a file is streamed: it may be rough, not wrong."""
    count = 20_000
    parquet.write_table(queries(count), tmp_path / "a.parquet")
    rows = [f"u{row // 9} Q0 item{row} 1 {row / 7} t\n" for row in range(count)]
    text = write(tmp_path, "a.run", "".join(rows))
    packed = write(tmp_path, "b.run", gzip.compress("".join(rows).encode()))
    assert 24 * count <= opened(tmp_path / "a.parquet").estimate <= 40 * count
    for path in (text, packed):
        assert text.stat().st_size + 40 * count <= 1.2 * opened(path).estimate <= 2 * (text.stat().st_size + 40 * count)


BLANK = b"\n" * (1 << 20) + b" \t\r\n" * 3
BLANK_FIRST: dict[str, bytes] = {
    "a.run": b"q Q0 a 1 1 t\nq Q0 b 2 0.5 t\n",
    "a.csv": b"query_id,doc_id,score\nq,a,1\nq,b,0.5\n",
    "a.tsv": b"query_id\tdoc_id\tscore\nq\ta\t1\nq\tb\t0.5\n",
}


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", BLANK_FIRST)
def test_blank_lines_at_the_beginning(name: str, squeeze: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """However many: the first line that is not blank says what the file is, and lines keep their numbers."""
    path = write(tmp_path, name, squeeze(BLANK + BLANK_FIRST[name]))
    rows = read_rows(path, "run", Reading())
    assert columns_of(rows) == columns_of(read_rows(write(tmp_path, "b" + name, BLANK_FIRST[name]), "run", Reading()))
    assert rows.source.place(0).en.endswith(f":{(1 << 20) + 3 + (1 if path.suffix == '.run' else 2)}")
    same_rows(path, "run", 1 << 22)


@pytest.mark.parametrize("broken", [b"q Q0 a 1 x t\n", b"query_id,doc_id,score\nq,a,x\n"], ids=["trec", "csv"])
def test_a_fault_below_many_blank_lines_has_its_line(broken: bytes, tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", BLANK + broken)
    said = refused(lambda: list(opened(path).chunks(1 << 22)))
    assert said == refused(read_rows, path, "run", Reading())
    said.both_name(f"{path}:{(1 << 20) + 3 + broken.count(bytes([10]))}")


def test_a_blank_chunk_of_predictions(tmp_path: Path) -> None:
    rows = "".join(f"{row % 2},0.{row}\n" for row in range(9))
    path = write(tmp_path, "a.csv", "y,p\n" + rows + "\n" * 400 + rows)
    stream = open_table(path, Wanted(("y", "p"), numbers=("p",)), Reading())
    assert stream is not None
    tables = [table for table, _ in stream.chunks(60)]
    assert min(table.num_rows for table in tables) > 0
    assert sum(table.num_rows for table in tables) == 18


def test_a_column_that_is_missing_in_the_first_chunks(tmp_path: Path) -> None:
    """Its type is known as soon as it is shown, also where that of others was known before."""
    path = write(tmp_path, "a.csv", "y,z\n" + ",1\n" * 99 + "1,2\n" * 99)
    stream = open_table(path, Wanted(("y", "z")), Reading())
    assert stream is not None
    tables = [table for table, _ in stream.chunks(200)]
    kinds = [str(table.schema.field("y").type) for table in tables]
    assert set(kinds) == {"null", "int64"} and kinds == sorted(kinds, reverse=True)
