"""What databases write differently: identifiers, and settings at the end. `DIALECTS` is the only list of them."""

from __future__ import annotations

from typing import Final

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass

_FILES = (".parquet", ".pq", ".csv", ".tsv", ".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Dialect:
    """One kind of database."""

    name: str
    title: str
    quote: str
    "Around an identifier; one inside is doubled."
    escapes: bool = False
    "Whether a backslash means something inside."
    reads_files: bool = False
    "Whether a path may stand for a table."
    settings: str = ""
    "What a query ends with."
    single: str = ""
    "The condition that the column {} has single precision, where the database can tell."
    integer: str = ""
    "The condition that the column {} has integers, where the database can tell."

    def identifier(self, name: str) -> str:
        """A name so that nothing in it is anything but a name."""
        if not name or not name.isprintable():
            raise InputError(
                f"the name {name!r} cannot be that of a column or table; give one without line ends and control characters",
                f"{name!r} 不能作为列名或表名；请给出不含换行与控制字符的名称",
            )
        inner = name.replace("\\", "\\\\") if self.escapes else name
        return f"{self.quote}{inner.replace(self.quote, self.quote * 2)}{self.quote}"

    def table(self, name: str) -> str:
        """A table, whose schema may stand before a dot; a path where the database reads files."""
        if self.reads_files and ("/" in name or name.lower().endswith(_FILES)):
            self.identifier(name)
            return "'" + name.replace("'", "''") + "'"
        return ".".join(map(self.identifier, name.split(".")))


DIALECTS: Final = {
    each.name: each
    for each in (
        Dialect(
            "duckdb",
            "DuckDB",
            '"',
            reads_files=True,
            single="TYPEOF({}) = 'FLOAT'",
            integer="(TYPEOF({0}) LIKE '%INT' OR TYPEOF({0}) LIKE '%INTEGER')",
        ),
        Dialect("spark", "Spark SQL", "`", single="TYPEOF({}) = 'float'", integer="TYPEOF({}) LIKE '%int'"),
        Dialect("hive", "Hive", "`"),
        Dialect(
            "clickhouse",
            "ClickHouse",
            "`",
            escapes=True,
            settings="SETTINGS join_use_nulls = 1, cast_keep_nullable = 1",
            single="toTypeName({}) LIKE '%Float32%'",
            integer="match(toTypeName({}), '^[(A-Za-z]*Int[0-9]+[)]*$')",
        ),
        Dialect("maxcompute", "MaxCompute", "`"),
    )
}


def dialect_named(name: str) -> Dialect:
    """The dialect of this name; another is refused."""
    if name not in DIALECTS:
        hint = did_you_mean(str(name), DIALECTS)
        raise InputError(
            f"unknown dialect '{name}'{hint.en} (known are {', '.join(DIALECTS)})",
            f"未知的方言 '{name}'{hint.zh}（可用 {'、'.join(DIALECTS)}）",
        )
    return DIALECTS[name]
