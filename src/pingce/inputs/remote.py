"""Files that are elsewhere (s3://, gs://, hdfs://, oss:// …): copied, whole, into a folder of this process, and read from there."""

from __future__ import annotations

import atexit
import os
import re
import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pingce.base.addresses import address_of, public_path, split_query, split_secrets, stands_for
from pingce.base.errors import InputError, library_words
from pingce.base.records import dataclass

_BY_ARROW: Final = ("s3", "gs", "gcs", "hdfs")
"What Arrow reads itself; others are read by fsspec."
_BY_ADLFS: Final = ("abfs", "abfss", "az")
_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_OPEN: Final = ("region", "scheme", "endpoint_override")
"What of a query may be said."
_TICK: Final = 2 * 10**9
"Nanoseconds within which a file may be written twice and seem the same: stores count in seconds."


@dataclass(frozen=True)
class _Copy:
    """Where the copy of an address is, and how its files looked then."""

    path: Path
    look: tuple[object, ...] | None


_copies: dict[str, _Copy] = {}
_lock = Lock()


def local_copy(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path of this machine for one that is elsewhere; any other path as it is. What has changed there is copied again."""
    url = address_of(path)
    if url is None:
        return path
    _refuse_unescaped(url)
    with _lock:
        _copies[url] = _fetched(url, _copies.get(url))
        return _copies[url].path


def _refuse_unescaped(url: str) -> None:
    """A slash or a question mark in a secret would be taken for the end of it, and the rest for a name."""
    if re.search("[/?]", split_secrets(url)[1]):
        raise InputError(
            f"{public_path(url)}: the secret in the address has / or ?; write %2F and %3F, or give it by the environment",
            f"{public_path(url)}：地址中的密钥含有 / 或 ?；请写作 %2F 与 %3F，或改用环境变量",
        )


def _fetched(url: str, before: _Copy | None) -> _Copy:
    """Copies of all files of a URL, in a folder that goes when the process ends; those made before where nothing has changed."""
    try:
        system, root = _opened(url)
        files, base, rest = _found(system, root)
        if not files:
            raise InputError(f"{public_path(url)}: no such file", f"{public_path(url)}：文件不存在")
        look = _look(system, files)
        if before is not None and look is not None and before.look == look:
            return before
        from shutil import rmtree
        from tempfile import mkdtemp

        folder = Path(mkdtemp(prefix="pingce-remote-"))
        atexit.register(rmtree, folder, ignore_errors=True)
        stands_for(str(folder), public_path(url).rstrip("/").removesuffix(rest).rstrip("/"))
        for file in files:
            _copy(system, file, folder / PurePosixPath(file.path).relative_to(base))
    except ImportError as problem:
        raise _needs(url, problem) from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        reason = _without_secrets(library_words(problem), url)
        raise InputError(
            f"{public_path(url)}: cannot be read ({reason}); look at the address, the credentials and the endpoint",
            f"{public_path(url)}：无法读取（{reason}）；请检查地址、凭证与端点",
        ) from None
    return _Copy(folder / rest, look)


def _look(system: Any, files: Sequence[Any]) -> tuple[object, ...] | None:
    """What changes with the files; None where one was written so lately that it may change unseen, or does not tell."""
    if system.type_name.startswith("py::fsspec"):
        return tuple((file.path, system.handler.fs.ukey(file.path)) for file in files)
    times = [file.mtime_ns for file in files]
    if any(written is None or written > time.time_ns() - _TICK for written in times):
        return None
    return tuple((file.path, file.size, file.mtime_ns) for file in files)


def _opened(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    from pyarrow import fs

    place, query = split_query(re.sub("^s3a:", "s3:", url))
    scheme, _, root = place.partition("://")
    bucket, _, path = root.partition("/")
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), None)
    if scheme == "s3" and endpoint is not None and not query and "@" not in bucket:
        server = urlsplit(endpoint)
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        options = {"scheme": server.scheme or "https", "region": region}
        return fs.S3FileSystem(endpoint_override=server.netloc or endpoint, **options), root
    if scheme in _BY_ARROW:
        rest = path if has_magic(path) else ""  # Arrow takes ? for the beginning of a query, and refuses brackets
        base = place.removesuffix(rest) + (f"?{query}" if query else "")
        system, root = fs.FileSystem.from_uri(base)
        return system, f"{root.rstrip('/')}/{rest}" if rest else root
    import fsspec

    system, path = fsspec.core.url_to_fs(url)
    system.invalidate_cache()  # fsspec keeps systems, and what it listed once
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def _found(system: Any, root: str) -> tuple[list[Any], str, str]:
    """The files of a path, the folder above them, and the path below it: a file, a folder or a pattern."""
    from pyarrow import fs

    root = root.rstrip("/")
    parts = PurePosixPath(root).parts
    plain = next((at for at, part in enumerate(parts) if has_magic(part)), len(parts))
    info = system.get_file_info(root) if plain else None
    if plain == len(parts) or (info is not None and info.type != fs.FileType.NotFound):
        base, name = str(PurePosixPath(root).parent), PurePosixPath(root).name
        is_file = info is not None and info.type == fs.FileType.File
        return [info] if is_file else _below(system, root), base, name
    base, pattern = str(PurePosixPath(*parts[:plain])), str(PurePosixPath(*parts[plain:]))
    inside = [file for file in _below(system, base) if _matches(PurePosixPath(file.path).parts[plain:], parts[plain:])]
    return inside, base, pattern


def _below(system: Any, folder: str) -> list[Any]:
    from pyarrow import fs

    selector = fs.FileSelector(folder, recursive=True, allow_not_found=True)
    files = (info for info in system.get_file_info(selector) if info.type == fs.FileType.File)
    return sorted(files, key=lambda info: str(info.path))


def _matches(parts: tuple[str, ...], patterns: tuple[str, ...]) -> bool:
    """Whether a pattern means a path or a folder above it, ** any folders; of the copies it is told again as of all files here."""
    if not patterns:
        return True
    if patterns[0] == "**":
        return any(_matches(parts[at:], patterns[1:]) for at in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])


def _copy(system: Any, file: Any, path: Path) -> None:
    """A file, under its name only when all of it is there; names that lead out of the folder are refused."""
    if ".." in PurePosixPath(file.path).parts or path.exists():
        raise InputError(
            f"{file.path}: a name with .. in it, or that of two files once // is /; rename the file",
            f"{file.path}：文件名中含有 ..，或 // 视为 / 后与另一文件同名；请重命名",
        )
    from shutil import copyfileobj

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with system.open_input_stream(file.path, compression=None) as source, part.open("wb") as copy:
        copyfileobj(source, copy, 1 << 24)
    if file.size is not None and part.stat().st_size != file.size:
        raise OSError(f"{part.stat().st_size} of {file.size} bytes came of {PurePosixPath(file.path).name}")
    part.replace(path)


def _without_secrets(text: str, url: str) -> str:
    """What a library said, without what stands in a URL besides its place."""
    query = split_query(url)[1]
    values = [value for key, _, value in (part.partition("=") for part in query.split("&")) if key not in _OPEN]
    pieces = [url, query, *values, *re.split("[:@]", split_secrets(url)[1])]
    secrets = {*pieces, *map(unquote, pieces)}
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "…")
    return text


def _needs(url: str, problem: ImportError) -> InputError:
    scheme = urlsplit(url).scheme
    packages = "fsspec adlfs" if scheme in _BY_ADLFS else "'pingce[remote]'"
    reason = _without_secrets(library_words(problem), url)
    return InputError(
        f"{public_path(url)}: reading {scheme}:// needs a package that is not here ({reason}); pip install {packages}",
        f"{public_path(url)}：读取 {scheme}:// 需要尚未安装的包（{reason}）；请执行 pip install {packages}",
    )
