"""Quepid's exports in CSV: ratings as a truth, snapshots as a run; documents that nobody has rated are left out and counted."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import Source, Wanted, no_rows
from pingce.inputs.files import File
from pingce.inputs.tables import Format
from pingce.inputs.tables.base import Columns, Read, Table, Types
from pingce.inputs.tables.detect import records


class QuepidTable(Table):
    """A table in which a line may end early: a query without documents, a document without a rating."""

    untyped = True

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        self._lines = [(number, fields) for number, fields in records(file, ",") if any(map(str.strip, fields))]
        if not self._lines:
            raise file.empty()
        self.names = [name.strip() for name in self._lines[0][1]]

    def numeric(self, names: Sequence[str]) -> Sequence[str]:
        """None that nobody names: other columns of an export are about the case."""
        return ()

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        """All rows that have what is wanted."""
        path, places = self.file.path, {name: self.names.index(name) for name in stored.columns}
        rows = [
            (line, [fields[at].strip() if at < len(fields) else "" for at in places.values()])
            for line, fields in self._lines[1:]
        ]
        whole = [(line, fields) for line, fields in rows if all(fields)]
        name = self.file.name
        if not whole:
            raise no_rows(name)

        def place(row: int) -> Text:
            return Text(f"{path}:{whole[row][0]}", f"{path}:{whole[row][0]}")

        left = len(rows) - len(whole)
        note = Text(
            f"{name.en}: {left} rows without a rating or a document left out",
            f"{name.zh}：{left} 行没有评级或文档，未计入",
        )
        source = Source(name, place, (note,) if left else (), untyped_ids=True)
        columns = {column: [fields[at] for _, fields in whole] for at, column in enumerate(places)}
        numbers = {column: _numbers(columns[column], column, source) for column in stored.numbers}
        yield (pa.table(columns | numbers), source), 0


def _numbers(words: list[str], column: str, source: Source) -> list[float]:
    numbers = []
    for row, word in enumerate(words):
        try:
            numbers.append(float(word))
        except ValueError:
            place = source.place(row)
            raise InputError(
                f"{place.en}: {column} is '{word}', not a number; mend the line",
                f"{place.zh}：{column} 为 '{word}'，不是数字；请更正该行",
            ) from None
    return numbers
