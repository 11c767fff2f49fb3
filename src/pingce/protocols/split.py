"""A log in parts: for training, for choosing, for the test, or in folds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pingce import __version__
from pingce.base.atomic import write_whole
from pingce.base.errors import InputError, refuse_other
from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.notebook import SETTINGS, folded_settings, long_table, notebook
from pingce.base.progress import stepwise
from pingce.base.records import dataclass
from pingce.base.tables import ArrowColumns, Cell, Table, html_lines
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.protocols.interactions import Interactions, Naming, codes_of, read_interactions
from pingce.protocols.methods import Parts, SplitSettings, parts_of

PART = "part"
"The column that says which part a row is in."
FILE_FORMATS = ("parquet", "csv")


@dataclass(frozen=True, eq=False)
class Split(ArrowColumns):
    """A log with the part of each row: `split["test"]` is that part with all its columns, as an Arrow table."""

    log: Interactions
    part: Parts
    settings: SplitSettings
    notes: tuple[Text, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The parts, in their order."""
        return self.settings.names

    def __getitem__(self, name: str) -> pa.Table:
        refuse_other("part", name, self.names)
        return self.log.table.filter(pa.array(self.part == self.names.index(name)))

    @property
    def parts(self) -> dict[str, pa.Table]:
        """Each part by its name."""
        return {name: self[name] for name in self.names}

    @cached_property
    def table(self) -> pa.Table:
        """All rows as they stood, with the name of the part in a column `part`."""
        if PART in self.log.table.column_names:
            raise InputError(
                f"the log has a column '{PART}' already; rename it, or take the parts one by one: split['train'] …",
                f"日志中已有名为 '{PART}' 的列；请改名，或逐一取出各部分：split['train'] 等",
            )
        names = pa.DictionaryArray.from_arrays(pa.array(self.part.astype(np.int32)), pa.array(list(self.names)))
        return self.log.table.append_column(PART, names.cast(pa.string()))

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """Of each part: rows, users, items, and how many of these the first part does not have."""
        first, columns = {}, {}
        for role in ("user", "item"):
            if role in self.log.names:
                [codes], number = codes_of(self.log.ids(role))
                columns[role] = [
                    np.bincount(codes[self.part == at], minlength=number) > 0 for at in range(len(self.names))
                ]
                first[role] = columns[role][0]
        result = {}
        for at, name in enumerate(self.names):
            row = {"rows": int((self.part == at).sum())}
            row |= {f"{role}s": int(present[at].sum()) for role, present in columns.items()}
            if at and not self.settings.folds:
                row |= {f"new_{role}s": int((present[at] & ~first[role]).sum()) for role, present in columns.items()}
            result[name] = row
        return result

    def count_table(self) -> Table:
        """The counts, a row a part."""
        rows: list[dict[str, Cell]] = [{PART: name, **counts} for name, counts in self.counts.items()]
        return Table.of_rows(rows)

    @property
    def about(self) -> Json:
        """How the log was split, and how large its parts are, as plain Python."""
        return {
            "pingce_version": __version__,
            **self.settings.to_dict(),
            "columns": dict(self.log.names),
            "parts": self.counts,
        }

    def write(self, folder: str | Path, *, file_format: str = "parquet") -> list[Path]:
        """Write each part to a file of the folder: train.parquet, test.parquet …; each is whole or not there."""
        refuse_other("file_format", file_format, FILE_FORMATS)
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(
                f"{place}: no folder can be made there ({problem.strerror})",
                f"{place}：无法创建文件夹（{problem.strerror}）",
            ) from None
        paths = []
        for name in stepwise(self.names):
            paths.append(place / f"{name}.{file_format}")
            write_whole(paths[-1], _content(self[name], file_format))
        return paths

    def _repr_html_(self) -> str:
        about = {name: value for name, value in self.about.items() if name != "parts"}
        return notebook(
            long_table(self.count_table(), 4),
            html_lines([str(note) for note in self.notes]),
            folded_settings(SETTINGS, about),
        )

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {counts['rows']}" for name, counts in self.counts.items())
        return f"Split({self.settings.how!r}, {sizes})"


def _content(table: pa.Table, file_format: str) -> bytes:
    sink = pa.BufferOutputStream()
    if file_format == "parquet":
        from pyarrow import parquet

        parquet.write_table(table, sink)
    else:
        from pyarrow import csv

        csv.write_csv(table, sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def split_log(data: Any, settings: SplitSettings, naming: Naming, reading: Reading) -> Split:
    """The parts of a log that something holds."""
    log = read_interactions(data, naming, reading, settings.method.needs, whole=True)
    part, notes = parts_of(log, settings)
    result = Split(log, part, settings, (log.note, *notes))
    _refuse_empty(result.counts, settings)
    return result


def _refuse_empty(counts: Mapping[str, Mapping[str, int]], settings: SplitSettings) -> None:
    for name, each in counts.items():
        if not each["rows"] and settings.moments:
            where = ", ".join(map(str, settings.moments))
            raise InputError(
                f"no row is in {name}: at={where} lies before or after all rows; give a moment among them",
                f"{name} 中没有任何行：at={where} 早于或晚于所有行；请给出其间的时刻",
            )
        if not each["rows"]:
            raise InputError(
                f"no row is in {name}: the log is too small for these parts; choose other sizes, another seed, or another way to split",
                f"{name} 中没有任何行：日志太小，不足以这样划分；请换比例、种子或划分方式",
            )
