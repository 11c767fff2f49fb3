"""A private folder for what does not fit into memory; it is gone when the work is done, fails or is stopped."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import tempfile
import threading
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn

from pingce.base.errors import InputError, first_words
from pingce.base.memory import human
from pingce.run.leftovers import PREFIX, mark, sweep

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
        if self._folder is None:
            return 0
        return sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())

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
        ours = isinstance(problem, OSError) and not isinstance(problem, BrokenPipeError) and self._folder is not None
        refusal = self._unusable(problem) if ours and isinstance(problem, OSError) else None
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
