"""Feather: Arrow's own files. They are read at once."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.lazy import pa
from pingce.inputs.columns import Wanted
from pingce.inputs.content import has_changed
from pingce.inputs.files import File
from pingce.inputs.tables import Format
from pingce.inputs.tables.base import Columns, Read, Table, Types


class FeatherTable(Table):
    """A table by its schema."""

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        with file.readable("Feather"), file.opened(keep=True) as handle:
            self.types = pa.ipc.open_file(handle.source).schema
            self.names = self.types.names

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        with self.file.readable("Feather"), self.file.opened() as handle:
            reader = pa.ipc.open_file(handle.source)
            if not reader.schema.equals(self.types):  # another file has its name now
                raise has_changed(self.file.path)
            table = reader.read_all().select(list(stored.columns))
            table.validate(full=True)  # its offsets come from the file, and the core follows them
        yield (table, self.file.counted_rows()), 0
