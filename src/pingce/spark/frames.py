"""Data frames of Spark: which columns are meant, what types they have, and where a row of them came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import Source
from pingce.inputs.names import listed, refuse_absent

_INTEGERS = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = ("float", "double", "boolean", *_INTEGERS)


def need_spark() -> None:
    """Refuse, with the way out, where pyspark is not installed."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise InputError(
            "pyspark is not installed here: run pip install 'pyspark[sql]>=4.0,<5'",
            "此处没有安装 pyspark：请执行 pip install 'pyspark[sql]>=4.0,<5'",
        ) from None


def refuse_other(data: Any, name: Text) -> None:
    """Refuse what is no data frame of Spark."""
    need_spark()
    if not (hasattr(data, "mapInArrow") and hasattr(data, "schema")):
        kind = type(data).__name__
        raise InputError(
            f"{name.en} is {kind}, not a Spark DataFrame; for data in memory use the calls of pingce itself",
            f"{name.zh}是 {kind}，不是 Spark DataFrame；内存中的数据请直接用 pingce 的同名函数",
        )


def column(name: str) -> Any:
    """A column by its plain name, whatever letters are in it."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def types(frame: Any) -> dict[str, str]:
    """The type of each column, as SQL writes it."""
    return {field.name: field.dataType.simpleString() for field in frame.schema.fields}


def is_text(kind: str) -> bool:
    """Whether this is a type of strings."""
    return kind == "string" or kind.startswith(("string ", "varchar", "char"))


def id_type(frame: Any, name: str, where: Text) -> str:
    """`bigint` or `string`: ids are integers or strings."""
    kind = types(frame)[name]
    if kind in _INTEGERS:
        return "bigint"
    if is_text(kind):
        return "string"
    raise InputError(
        f"{where.en}: column '{name}' has type {kind}, but ids must be strings or integers; convert it first",
        f"{where.zh}：列 '{name}' 的类型是 {kind}，编号须为字符串或整数；请先转换",
    )


def is_numeric(kind: str) -> bool:
    """Whether this is a type of numbers, or of truth values."""
    return kind in _NUMBERS or kind.startswith("decimal")


def numeric_columns(frame: Any) -> Callable[[Sequence[str]], Sequence[str]]:
    """Which of some columns hold numbers, truth values aside, by the types of a frame."""
    return lambda names: [name for name in names if types(frame)[name] != "boolean" and is_numeric(types(frame)[name])]


def choose_columns(frame: Any, named: Mapping[str, str | None], usual: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The column of each role: as it was named, or, of the roles in `usual`, by the names that people use."""
    where = Text("the DataFrame", "DataFrame ")
    present = list(frame.columns)
    plain = {name.lower(): name for name in reversed(present)}
    roles: dict[str, str] = {}
    for role, name in named.items():
        column_name = name or next((plain[word] for word in usual.get(role, ()) if word in plain), None)
        if column_name is not None:
            roles[role] = column_name
        elif role in usual:
            raise InputError(
                f"say which column it is with {role}=: none of {listed(present)} has a name that pingce knows ({', '.join(usual[role])})",
                f"请用 {role}= 指明列：{listed(present)} 中没有可识别的名称（{'、'.join(usual[role])}）",
            )
    refuse_absent(list(roles.values()), present, where)
    return roles


def row_source(table: pa.Table, name: Text) -> Source:
    """The source of a table on an executor: rows have no number there, so that messages show what is in them."""

    def place(row: int) -> Text:
        cells = ", ".join(f"{title}={table.column(title)[row].as_py()!r}" for title in table.column_names)
        return Text(f"{name.en}, row ({cells})", f"{name.zh}，行（{cells}）")

    return Source(name, place)
