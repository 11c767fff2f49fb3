"""`python -m tests.platforms write FOLDER` on each machine, then `python -m tests.platforms compare ONE OTHER`: exit 1 if a byte differs."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from .compare import compare


def main() -> int:
    """Write, or compare."""
    verb, *folders = sys.argv[1:]
    if verb == "compare":
        return int(compare(*map(Path, folders)))
    from .documents import write_documents

    warnings.simplefilter("ignore")
    print(f"{write_documents(Path(folders[0]))} documents in {folders[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
