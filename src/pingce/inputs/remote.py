"""Files that are elsewhere (s3://, gs://, hdfs://, oss:// …): copied once into a folder of this process, whole, and read from there."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, Final
from urllib.parse import urlsplit

from pingce.base.errors import InputError, library_words

_SCHEMES: Final = ("s3", "s3a", "gs", "gcs", "hdfs", "oss", "abfs", "abfss", "az")
_REMOTE: Final = re.compile(rf"({'|'.join(_SCHEMES)}):/{{1,3}}(?=[^/])")
"A Path keeps one of the two slashes."
_BY_ARROW: Final = ("s3", "gs", "gcs", "hdfs")
"What Arrow reads itself; others are read by fsspec."
_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_copies: dict[str, Path] = {}
_lock = Lock()


def local_copy(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path of this machine for one that is elsewhere; any other path as it is."""
    scheme = _REMOTE.match(os.fspath(path))
    if scheme is None:
        return path
    url = f"{scheme[1]}://{os.fspath(path)[scheme.end() :]}"
    with _lock:
        if url not in _copies:
            _copies[url] = _fetched(url)
        return _copies[url]


def shown_url(url: str) -> str:
    """A URL for messages: without keys, passwords and queries."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _fetched(url: str) -> Path:
    """Copies of all files of a URL, in a folder that goes when the process ends."""
    try:
        system, root = _opened(url)
        files, base, rest = _found(system, root)
        if not files:
            raise InputError(f"{shown_url(url)}: no such file", f"{shown_url(url)}：文件不存在")
        folder = Path(tempfile.mkdtemp(prefix="pingce-remote-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for file in files:
            _copy(system, file, folder / PurePosixPath(file).relative_to(base))
    except ImportError as problem:
        raise _needs(url, problem) from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        reason = _without_secrets(library_words(problem), url)
        raise InputError(
            f"{shown_url(url)}: cannot be read ({reason}); look at the address, the credentials and the endpoint",
            f"{shown_url(url)}：无法读取（{reason}）；请检查地址、凭证与端点",
        ) from None
    return folder / rest


def _opened(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    from pyarrow import fs

    url = re.sub("^s3a:", "s3:", url)
    parts = urlsplit(url)
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), None)
    if parts.scheme == "s3" and endpoint is not None and not parts.query and "@" not in parts.netloc:
        place = urlsplit(endpoint)
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        options = {"scheme": place.scheme or "https", "region": region}
        return fs.S3FileSystem(endpoint_override=place.netloc or endpoint, **options), parts.netloc + parts.path
    if parts.scheme in _BY_ARROW:
        system, path = fs.FileSystem.from_uri(url)
        return system, path
    import fsspec

    system, path = fsspec.core.url_to_fs(url)
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def _found(system: Any, root: str) -> tuple[list[str], str, str]:
    """The files of a path, the folder above them, and the path below it: a file, a folder or a pattern."""
    from pyarrow import fs

    root = root.rstrip("/")
    parts = PurePosixPath(root).parts
    plain = next((at for at, part in enumerate(parts) if has_magic(part)), len(parts))
    if plain == len(parts):
        info = system.get_file_info(root)
        base, name = str(PurePosixPath(root).parent), PurePosixPath(root).name
        if info.type == fs.FileType.File:
            return [root], base, name
        return _below(system, root), base, name
    base, pattern = str(PurePosixPath(*parts[:plain])), str(PurePosixPath(*parts[plain:]))
    depth = len(parts)
    inside = [file for file in _below(system, base) if _matches(PurePosixPath(file).parts[plain:depth], parts[plain:])]
    return inside, base, pattern


def _below(system: Any, folder: str) -> list[str]:
    from pyarrow import fs

    selector = fs.FileSelector(folder, recursive=True, allow_not_found=True)
    return sorted(info.path for info in system.get_file_info(selector) if info.type == fs.FileType.File)


def _matches(parts: tuple[str, ...], patterns: tuple[str, ...]) -> bool:
    """Whether the first parts of a path are those of a pattern; what lies below a folder that it means is too."""
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _copy(system: Any, file: str, path: Path) -> None:
    """A file, under its name only when all of it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with system.open_input_stream(file, compression=None) as source, part.open("wb") as copy:
        shutil.copyfileobj(source, copy, 1 << 24)
    part.replace(path)


def _without_secrets(text: str, url: str) -> str:
    """What a library said, without what stands in a URL besides its place."""
    parts = urlsplit(url)
    secrets = [url, parts.query, *re.split("[:@]", parts.netloc.rpartition("@")[0])]
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "…")
    return text


def _needs(url: str, problem: ImportError) -> InputError:
    scheme = urlsplit(url).scheme
    reason = _without_secrets(library_words(problem), url)
    return InputError(
        f"{shown_url(url)}: reading {scheme}:// needs a package that is not here ({reason}); pip install 'pingce[remote]'",
        f"{shown_url(url)}：读取 {scheme}:// 需要尚未安装的包（{reason}）；请执行 pip install 'pingce[remote]'",
    )
