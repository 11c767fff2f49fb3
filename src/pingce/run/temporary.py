"""A private folder for what does not fit into memory; it is gone when the work is done, fails or is stopped."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn

from pingce.base.errors import InputError, first_words
from pingce.base.memory import human

PREFIX: Final = "pingce-"
_OWNER: Final = "owner.lock"


def mark(folder: Path) -> int | None:
    """Take a folder as this process's own, until the handle is closed or the process ends, however it does.

    None where the system has no such locks: then the folder is never swept.
    """
    try:
        import fcntl
    except ImportError:
        return None
    fresh = folder / f"{_OWNER}.new"
    handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with suppress(OSError):  # some network file systems have no locks
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fresh.rename(folder / _OWNER)  # locked before it has the name that is looked for
    return handle


def sweep(above: Path) -> None:
    """Remove folders in a place whose owner is gone: those that this user made, and that are marked."""
    with suppress(OSError, ImportError):
        for entry in list(os.scandir(above)):
            if entry.name.startswith(PREFIX):
                with suppress(OSError), _abandoned(Path(entry.path)) as gone:
                    if gone:
                        shutil.rmtree(entry.path, ignore_errors=True)


@contextmanager
def _abandoned(folder: Path) -> Iterator[bool]:
    """Whether nobody holds the mark of a folder; while this is looked at, nobody else can sweep it. No link is followed."""
    import fcntl

    if not _is_ours(folder.lstat(), stat.S_ISDIR):
        yield False
        return
    handle = os.open(folder / _OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        ours = _is_ours(os.fstat(handle), stat.S_ISREG)
        if ours:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a BlockingIOError where its owner lives
        yield ours
    finally:
        os.close(handle)


def _is_ours(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return is_kind(status.st_mode) and status.st_uid == os.getuid()


_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_DEADLY: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"Signals that end a process, e.g. one whose terminal is closed."


class Workspace:
    """A context manager. `folder` is made in `tmpdir` (by default the system's: TMPDIR, or /tmp) when first asked for.

    Where there is no space left, the error names the folder, what was written, and the way out.
    """

    def __init__(self, tmpdir: str | os.PathLike[str] | None = None) -> None:
        self._above = _checked(tmpdir) if tmpdir is not None else Path(tempfile.gettempdir())
        self._folder: Path | None = None
        self._mark: int | None = None
        self._caught: list[int] = []

    @property
    def folder(self) -> Path:
        """Only its owner may look into it."""
        if self._folder is None:
            try:
                self._folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=self._above))
                self._mark = mark(self._folder)
            except OSError as problem:
                if problem.errno in _FULL:
                    raise self._no_space() from None
                reason = problem.strerror or str(problem)
                raise InputError(
                    f"{self._above}: no folder for temporary files can be made there ({reason}); name another with --tmpdir (tmpdir=)",
                    f"{self._above}：无法在其中创建临时文件夹（{reason}）；请用 --tmpdir（tmpdir=）指定其他位置",
                ) from None
        return self._folder

    @property
    def written(self) -> int:
        """Bytes that lie there now."""
        files = () if self._folder is None else self._folder.rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file())

    def __enter__(self) -> Workspace:
        sweep(self._above)
        at_home = threading.current_thread() is threading.main_thread()
        for number in _DEADLY if at_home else ():
            if signal.getsignal(number) is signal.SIG_DFL:  # else its owner knows what to do
                signal.signal(number, _end)
                self._caught.append(number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        refusal = None
        if isinstance(problem, OSError) and not isinstance(problem, BrokenPipeError) and self._folder is not None:
            refusal = self._unusable(problem)
        self._remove()
        if refusal is not None:
            raise refusal from None

    def _remove(self) -> None:
        try:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
        finally:
            if self._folder is not None and self._folder.exists():  # Ctrl-C while it was removed
                shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            if self._mark is not None:
                os.close(self._mark)
                self._mark = None
            while self._caught:
                signal.signal(self._caught.pop(), signal.SIG_DFL)

    def _unusable(self, problem: OSError) -> InputError:
        if problem.errno in _FULL:
            return self._no_space()
        reason = problem.strerror or first_words(problem)
        return InputError(
            f"{self._folder}: temporary files cannot be used there ({reason}); name another place with --tmpdir (tmpdir=)",
            f"{self._folder}：无法在其中使用临时文件（{reason}）；请用 --tmpdir（tmpdir=）指定其他位置",
        )

    def _no_space(self) -> InputError:
        where, size = self._folder or self._above, human(self.written)
        return InputError(
            f"{where}: no space left for temporary files after {size}; make room, or name a larger place with --tmpdir (tmpdir=)",
            f"{where}：写入 {size} 后，临时文件已没有空间；请腾出空间，或用 --tmpdir（tmpdir=）指定更大的位置",
        )


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Unwind, so that everything is put away."""
    raise SystemExit(128 + number)


def _checked(tmpdir: Any) -> Path:
    """An empty name would be the folder one is in, which nobody means."""
    if not isinstance(tmpdir, (str, os.PathLike)) or tmpdir == "":
        raise InputError(
            f"tmpdir is {tmpdir!r}; name a folder for temporary files, or leave it out for the system's",
            f"tmpdir 为 {tmpdir!r}；请给出存放临时文件的文件夹，或不给以使用系统默认位置",
        )
    return Path(tmpdir)
