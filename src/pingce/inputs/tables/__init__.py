"""Formats of files. `FORMATS` is the only list of them: to add one, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pingce.base.records import dataclass
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.inputs.columns import Reading, Rows
    from pingce.inputs.files import File
    from pingce.inputs.tables.base import Chunked, Table


@dataclass(frozen=True)
class Format:
    """One format of files. Its module is imported when a file has it: a small TREC file must not wait for Arrow.

    `opener` is a `Table(file, format, words)`, where `words` are the caller's for columns, or, where columns have no names,
    `Chunked[Rows](file, reading)`.
    """

    name: str
    "As the caller says it."
    title: Text
    "As sentences say it."
    opener: str
    "module:class of this package."
    suffixes: tuple[str, ...] = ()
    magic: bytes = b""
    "How all its files begin, where they are not text."
    delimiter: str = ""
    "What separates the columns of a text."
    tabular: bool = True
    "Whether columns have names, so that predictions may be read from it."
    streams: bool = False
    "Whether a file is also read in several chunks."
    keys: tuple[str, ...] = ()
    "Keys of the one JSON object that a file holds: where there is one of them, its class says whether it is such a document."

    def open_table(self, file: File, words: Sequence[str] = ()) -> Table:
        """A table whose columns are known; its rows are read later."""
        table: Table = self._load()(file, self, words)
        return table

    def open_rows(self, file: File, reading: Reading) -> Chunked[Rows]:
        """A truth table, a run, excluded pairs or query weights."""
        if not self.tabular:
            rows: Chunked[Rows] = self._load()(file, reading)
            return rows
        from pingce.inputs.names import column_words
        from pingce.inputs.tables.base import TableRows

        return TableRows(self.open_table(file, list(column_words(file.role, reading.columns).values())), reading)

    def holds(self, data: Mapping[str, object]) -> bool:
        """Whether a JSON object is a document of this format."""
        answer: bool = self._load().holds(data)
        return answer

    def unpacked(self, path: Path) -> int:
        """Bytes that come out of a file, as far as it tells; 0 where it does not."""
        count: int = self._load().unpacked(path)
        return count

    def _load(self) -> Any:
        module, _, name = self.opener.partition(":")
        return getattr(import_module(f"{__name__}.{module}"), name)


FORMATS: Final = (
    Format("trec", Text("TREC text", "TREC 文本"), "trec:TrecRows", tabular=False, streams=True),
    Format("csv", Text("CSV", "CSV"), "csv:TextTable", (".csv",), delimiter=",", streams=True),
    Format("tsv", Text("TSV", "TSV"), "csv:TextTable", (".tsv",), delimiter="\t", streams=True),
    Format("jsonl", Text("JSON lines", "JSON lines"), "json:ObjectTable", (".jsonl", ".ndjson")),
    Format("json", Text("JSON", "JSON"), "json:ObjectRows", (".json",), tabular=False),
    Format(
        "rank_eval",
        Text("_rank_eval (Elasticsearch, OpenSearch)", "_rank_eval（Elasticsearch、OpenSearch）"),
        "rank_eval:RankEvalRows",
        tabular=False,
        keys=("requests", "details", "rank_eval"),
    ),
    Format(
        "workbench",
        Text("Search Relevance Workbench (OpenSearch)", "Search Relevance Workbench（OpenSearch）"),
        "workbench:WorkbenchRows",
        tabular=False,
        keys=("judgmentRatings", "documentIds", "hits"),
    ),
    Format("quepid", Text("Quepid CSV", "Quepid CSV"), "quepid:QuepidTable"),
    Format("parquet", Text("Parquet", "Parquet"), "columnar:ParquetTable", (".parquet", ".pq"), b"PAR1", streams=True),
    Format("feather", Text("Feather", "Feather"), "columnar:FeatherTable", (".feather", ".arrow"), b"ARROW1"),
)
BY_NAME: Final = {each.name: each for each in FORMATS}
BY_SUFFIX: Final = {suffix: each for each in FORMATS for suffix in each.suffixes}
COLUMNAR: Final = tuple(each.magic for each in FORMATS if each.magic)
"How files that are not text begin."


def binary_format(head: bytes) -> Format | None:
    """The format, other than text, of a file that begins so."""
    return next((each for each in FORMATS if each.magic and head.startswith(each.magic)), None)


def document_format(data: Mapping[str, object]) -> Format | None:
    """The format of a JSON object that is a document of another tool; None of one that has a query a key."""
    candidates = (each for each in FORMATS if not {*each.keys}.isdisjoint(data))
    return next((each for each in candidates if each.holds(data)), None)


def names_of(*, tabular: bool = False) -> list[str]:
    """How callers say the formats: all, or those of predictions."""
    return [each.name for each in FORMATS if each.tabular or not tabular]


def alternatives(words: Iterable[Text | str], last: Text) -> Text:
    """Words as a list with a conjunction before the last."""
    texts = [Text(word, word) if isinstance(word, str) else word for word in words]
    *first, end = texts
    return Text(
        f"{', '.join(text.en for text in first)} {last.en} {end.en}",
        f"{'、'.join(text.zh for text in first)} {last.zh} {end.zh}",
    )


def input_format_help(*, tabular: bool = False) -> Text:
    """What help says of the option that names a format."""
    text = alternatives(names_of(tabular=tabular), Text("or", "或"))
    return Text(f"{text.en}; by default recognised.", f"{text.zh}；默认自动识别。")


def streamed_formats() -> Text:
    """The formats that can be read in chunks, for sentences: those by columns, then tables in text, then other text."""
    order = sorted(FORMATS, key=lambda each: (not each.magic, not each.tabular))
    return alternatives((each.title for each in order if each.streams), Text("and", "和"))


_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_MANY: Final = 256
"Files of a folder that are looked into; others are like them."


def unpacked_size(path: Path) -> int:
    """Bytes that come out of a file, as far as it tells before it is read; its own size where it does not."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(18)
        if head.startswith(_GZIP) and size >= 18:
            file.seek(-4, 2)
            return max(size, int.from_bytes(file.read(4), "little"))
    if head.startswith(_ZSTD):
        return max(size, _size_of_frame(head))
    kind = binary_format(head)
    return size if kind is None else max(size, kind.unpacked(path))


def unpacked_sizes(paths: Iterable[Path]) -> int:
    """Bytes that come out of several files; of very many, the first ones tell how much comes out of a byte."""
    files = list(paths)
    sizes = [unpacked_size(path) for path in files[:_MANY]]
    if len(files) <= _MANY:
        return sum(sizes)
    disk = [path.stat().st_size for path in files]
    return round(sum(disk) * max(1.0, sum(sizes) / max(1, sum(disk[:_MANY]))))


def _size_of_frame(head: bytes) -> int:
    """What the header of a zstd frame says of its content (RFC 8878, 3.1.1.1); 0 where it says nothing."""
    descriptor = head[4] if len(head) > 4 else 0
    single = descriptor >> 5 & 1
    begin = 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3]
    length = (single, 2, 4, 8)[descriptor >> 6]
    return int.from_bytes(head[begin : begin + length], "little") + (256 if length == 2 else 0)
