"""Addresses of files that are elsewhere (s3://, gs:// …), and how they are said: without keys, passwords and queries."""

from __future__ import annotations

import os
import re
from pathlib import PurePath
from typing import Final

SCHEMES: Final = ("s3", "s3a", "gs", "gcs", "hdfs", "oss", "abfs", "abfss", "az")
_START: Final = rf"(?<![\w/.])(?i:({'|'.join(SCHEMES)})):/{{1,3}}(?=[^/\s])"
"A Path keeps one of the two slashes."
_IN_TEXT: Final = rf"{_START}[^\s'\"：，；、（）]*"
_QUERY: Final = r"\?(?=[A-Za-z][\w.%~-]*=)"
"Where a query begins: at options such as ?region=x. Any other question mark is one letter of a pattern, as in paths of this machine."
_copies: dict[str, str] = {}
"Folders of this machine, and the addresses that their files were copied from."


def address_of(path: str | os.PathLike[str]) -> str | None:
    """The address, as every library writes it, of a path that is elsewhere; None for any other."""
    text = os.fspath(path)
    start = re.match(_START, text)
    return None if start is None else f"{start[1].lower()}://{text[start.end() :]}"


def split_query(address: str) -> tuple[str, str]:
    """An address without its query, and the query."""
    place, *query = re.split(_QUERY, address, maxsplit=1)
    return place, "".join(query)


def split_secrets(address: str) -> tuple[str, str, str]:
    """The scheme of an address, what stands before its place (a key and its secret), and its place; the query is in none.

    Whoever writes a secret may forget to escape its slashes: it ends at the last @, also behind a slash.
    """
    scheme, _, rest = address.partition("://")
    before, query = split_query(rest)
    secret, _, place = before.rpartition("@")
    if ":" not in secret and "/" in secret:  # an @ in the name of a file
        head, slash, tail = before.partition("/")
        secret, place = head.rpartition("@")[0], f"{head.rpartition('@')[2]}{slash}{tail}"
    if not secret and ":" in before and "@" in query:  # a secret with a question mark
        return scheme, rest.rpartition("@")[0], "…"
    return scheme, secret, place


def public_path(path: str | os.PathLike[str]) -> str:
    """A path as messages and tables call it: an address without its secrets, any other path as it is."""
    address = address_of(path)
    if address is None:
        return os.fspath(path)
    scheme, _, place = split_secrets(address)
    return f"{scheme}://{place}"


def file_name(path: str | os.PathLike[str]) -> str:
    """The last part of a path, without secrets."""
    return PurePath(public_path(path)).name


def stands_for(folder: str, address: str) -> None:
    """From now on messages call the files of a folder by the address that they were copied from."""
    _copies[folder] = address


def public_text(text: str) -> str:
    """A sentence without secrets, and with addresses in place of the copies of their files."""
    for folder, address in _copies.items():
        text = text.replace(folder, address)
    return re.sub(_IN_TEXT, lambda match: _with_stop(public_path(match[0]), match[0]), text)


def _with_stop(place: str, address: str) -> str:
    """A place with the marks that stand behind its address, also where its query took them along."""
    end = re.search(r"[:;,.)]*$", address)
    return place if end is None or place.endswith(end[0]) else place + end[0]
