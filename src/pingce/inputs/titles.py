"""Short names of files, for tables and pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_SUFFIXES = {
    ".gz",
    ".bz2",
    ".zst",
    ".feather",
    ".arrow",
    ".run",
    ".res",
    ".trec",
    ".txt",
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".pq",
}


def short_names(runs: Sequence[str]) -> list[str]:
    """Short names of runs: file names without folder and known suffixes, made different where they are not."""
    names: list[str] = []
    for run in runs:
        path = Path(run)
        stem = path
        while stem.suffix.lower() in _SUFFIXES and stem.stem:
            stem = stem.with_suffix("")
        candidates = [stem.name, path.name, *(f"{path.name}#{number}" for number in range(2, len(runs) + 2))]
        names.append(next(name for name in candidates if name not in names))
    return names
