"""Which task a table of predictions is meant for, where nobody names it; and how large its files are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.cli.options import no_ranking_intervals
from pingce.cli.predictions import columns_of, read_columns
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.folders import files_of
from pingce.inputs.names import LABEL, PREDICTED_SCORE, PREDICTED_VALUE, listed
from pingce.inputs.predictions import column_names, vector_of
from pingce.inputs.tables import unpacked_sizes
from pingce.inputs.vectors import Vector
from pingce.request import Request
from pingce.tasks.binary import BINARY
from pingce.tasks.multiclass import MULTICLASS
from pingce.tasks.regression import REGRESSION

SMALL = 1 << 24
"Files of fewer bytes are read at once, whatever they hold."


def size_of_file(file: str) -> int:
    """Bytes that come out of a file, a folder or a pattern."""
    paths = files_of(Path(file))
    return unpacked_sizes(path for path in ([Path(file)] if paths is None else paths) if path.is_file())


def task_of(file: str, options: Mapping[str, Any], reading: Reading) -> str:
    """The task by the options, else by the names of the columns; of true and predicted ones, by their types."""
    if options["label"] or options["score"] or options["group"]:
        return BINARY.name
    if not (options["true"] or options["pred"]):
        names = column_names(file, reading)
        present = {name.lower() for name in names}
        if not present.intersection(LABEL):
            if len(options.get("files", ())) > 1 and options.get("ci") is not None:
                raise no_ranking_intervals("--ci")
            raise InputError(
                f"{file}: for a ranking give QRELS and RUN...; for predictions say which columns hold the labels and the "
                "scores with --label and --score (or --true and --pred)",
                f"{file}：评测排序请给出 QRELS 与 RUN...；评测预测请用 --label 与 --score（或 --true 与 --pred）指明标签列与分数列",
            )
        if present.intersection(LABEL[:-1]) and present.intersection(PREDICTED_SCORE):
            return BINARY.name
        if not present.intersection(PREDICTED_VALUE):
            raise InputError(
                f"{file}: say which column holds the scores with --score, or the predicted classes or numbers with --pred; "
                f"it has {listed(names)}",
                f"{file}：请用 --score 指明分数列，或用 --pred 指明预测类别或数值的列；现有 {listed(names)}",
            )
    columns = columns_of(Request.of(MULTICLASS.name, reading=reading), file, options)
    roles = (columns.truth, *columns.predictions)
    fractional = _is_fractional_stream(file, roles, reading)
    if fractional is None:
        read = read_columns(file, Wanted(tuple(dict.fromkeys(columns.wanted().columns))), reading)
        fractional = any(_is_fractional(read[name]) for name in roles)
    return REGRESSION.name if fractional else MULTICLASS.name


def _is_fractional(column: Vector) -> bool:
    values = column.values
    return bool(column.is_array and values.dtype.kind == "f" and (values != np.floor(values)).any())


def _is_fractional_stream(file: str, names: Sequence[str], reading: Reading) -> bool | None:
    """Whether a column of a large file holds numbers with fractions; None of what is not streamed, or small."""
    if size_of_file(file) < SMALL:
        return None
    from contextlib import closing

    from pingce.inputs.streams import open_table

    stream = open_table(file, Wanted(tuple(names)), reading)
    if stream is None:
        return None
    with closing(stream.chunks(SMALL)) as chunks:  # type: ignore[type-var]
        for table, source in chunks:
            columns = [vector_of(table, name, source) for name in names]
            numbers = [column for column in columns if column.is_array and column.values.dtype.kind == "f"]
            if any(map(_is_fractional, numbers)):
                return True
            if not numbers:
                return False  # the types stay
    return False
