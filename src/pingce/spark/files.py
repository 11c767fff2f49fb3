"""Files as data frames of Spark, and a session to read them in: for the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from pathlib import PurePath
from typing import Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.inputs.tables import BY_NAME
from pingce.inputs.tables.detect import delimiter_of
from pingce.spark.frames import column, need_spark, types
from pingce.spark.problems import translate_spark_errors

_KINDS = ("parquet", "csv", "tsv", "jsonl")
_SUFFIXES = {suffix: kind for kind in _KINDS for suffix in BY_NAME[kind].suffixes} | {".json": "jsonl"}
_COMPRESSED = (".gz", ".bz2", ".zst", ".snappy")


@dataclass(frozen=True)
class Read:
    """A file, and whether its columns have no types of their own."""

    frame: Any
    untyped: bool


def session(master: str | None) -> Any:
    """A session on a cluster, by default on all cores of this machine; Spark's own words only if something fails."""
    need_spark()
    from pyspark.sql import SparkSession

    where = master or "local[*]"
    if where.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder
    with translate_spark_errors():
        if where.startswith("sc://"):
            return builder.remote(where).getOrCreate()
        quiet = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false", "spark.ui.enabled": "false"}
        builder = builder.master(where).appName("pingce")
        for name, value in quiet.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()


def read(spark: Any, path: str, input_format: str | None, *, texts: Collection[str] | None = ()) -> Read:
    """A file or folder. Text files: `texts` are read as text, other columns as they look; None: all as text."""
    kind = input_format or _format(path)
    separator = delimiter_of(kind)
    if kind not in _KINDS and separator is None:
        raise InputError(
            f"{path}: Spark reads parquet, csv, tsv and jsonl, not {kind}; say which one it is with --input-format",
            f"{path}：Spark 可读取 parquet、csv、tsv 与 jsonl，不能读取 {kind}；请用 --input-format 指明",
        )
    with translate_spark_errors():
        if kind == "parquet":
            return Read(spark.read.parquet(path), False)
        if kind == "jsonl":
            return Read(spark.read.json(path), False)
        options = {"header": True, "sep": separator or ",", "escape": '"'}
        if texts is None:
            return Read(spark.read.csv(path, **options), True)
        frame = spark.read.csv(path, inferSchema=True, **options)
        words = {name: column(name).cast("string") for name in texts if name in frame.columns}
        if any(types(frame)[name] != "string" for name in words):
            schema = ", ".join(f"`{name}` {'string' if name in words else kind}" for name, kind in types(frame).items())
            frame = spark.read.csv(path, schema=schema, **options)
        return Read(frame, True)


def _format(path: str) -> str:
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes if suffix.lower() not in _COMPRESSED]
    return _SUFFIXES.get(suffixes[-1], suffixes[-1].lstrip(".")) if suffixes else "parquet"
