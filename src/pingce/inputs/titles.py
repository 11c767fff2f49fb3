"""Short names of files, for tables and pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pingce.base.addresses import file_name, public_path
from pingce.base.errors import InputError
from pingce.inputs.compressed import COMPRESSED_SUFFIXES
from pingce.inputs.tables import BY_SUFFIX

_SUFFIXES = {*COMPRESSED_SUFFIXES, *BY_SUFFIX, ".run", ".res", ".trec", ".txt"}


class TitledPath(str):
    """The name of a file, with the name that its user gave the model in it."""

    __slots__ = ("model",)
    model: str

    def __new__(cls, path: str, title: str) -> TitledPath:
        """A path that carries its title along."""
        titled_path = super().__new__(cls, path)
        titled_path.model = title
        return titled_path


def titled(word: str) -> str:
    """NAME=FILE as a file with a title; a word that is a file, or whose name would hold a folder, is a file as it is."""
    title, equals, path = word.partition("=")
    if not (equals and title.strip() and path) or "/" in title or "\\" in title or Path(word).exists():
        return word
    return TitledPath(path, title.strip())


def all_titled(words: Sequence[str]) -> tuple[str, ...]:
    """Files, each with its title where one was given; a title that is given twice is refused."""
    files = tuple(map(titled, words))
    titles = [file.model for file in files if isinstance(file, TitledPath)]
    twice = next((title for at, title in enumerate(titles) if title in titles[:at]), None)
    if twice is not None:
        raise InputError(
            f"two files are named '{twice}' (NAME=FILE); give each its own name",
            f"有两个文件都名为 '{twice}'（名称=文件）；请各用不同的名称",
        )
    return files


def short_names(runs: Sequence[str]) -> list[str]:
    """Short names of runs, made different where two are the same."""
    names: list[str] = []
    for run, name in zip(runs, plain_names(runs), strict=True):
        file = file_name(run)
        candidates = [name, file, *(f"{file}#{number}" for number in range(2, len(runs) + 2))]
        names.append(next(each for each in candidates if each not in names))
    return names


def plain_names(runs: Sequence[str]) -> list[str]:
    """Names that users gave, else file names without known suffixes; files of the same name have their folder's."""
    stems = [_stem(run) for run in runs]
    folders = ["" if isinstance(run, TitledPath) else Path(public_path(run)).parent.name for run in runs]
    names = []
    for stem, folder in zip(stems, folders, strict=True):
        namesakes = [other for other, same in zip(folders, stems, strict=True) if same == stem]
        apart = len(namesakes) > 1 and len(set(namesakes)) == len(namesakes)
        names.append(folder if apart and folder else stem)
    return names


def _stem(run: str) -> str:
    """The title, or the name of a file without known suffixes."""
    if isinstance(run, TitledPath):
        return run.model
    stem = Path(public_path(run))
    while stem.suffix.lower() in _SUFFIXES and stem.stem:
        stem = stem.with_suffix("")
    return stem.name
