"""Write what type checkers know and nobody should keep by hand: src/pingce/_core.pyi, from the core that is installed, and the names
of each task in the stubs of pingce and pingce.spark.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "pingce"
STUB = PACKAGE / "_core.pyi"
PUBLIC = {PACKAGE / "__init__.pyi": ("evaluate", "evaluator", "scores"), PACKAGE / "spark" / "__init__.pyi": ("spark",)}
"The parts of every task that are public names."

_LAYOUT = re.compile(r"Annotated\[(NDArray(?:\[[\w.]+\])?), dict\(shape=\(None,(?: None)?\)[^()]*\)\]")
_ANY_ARRAY = re.compile(r"\bNDArray\b(?!\[)(?=[],) ])")
_FUNCTION = re.compile(r"^def (\w+)\((.*)$", re.MULTILINE)
_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def core_stub() -> str:
    """Describe the core as nanobind does, with arrays by their type only, and as a protocol that the module fulfils."""
    from nanobind.stubgen import StubGen

    from pingce import _core

    generator = StubGen(_core)
    generator.put(_core)
    text = _ANY_ARRAY.sub("NDArray[Any]", _LAYOUT.sub(r"\1", generator.get()))
    text = text.replace("from typing import Annotated, Any\n", "from typing import Any, Protocol\n")
    array = "from numpy.typing import NDArray\n"
    text = text.replace(array, f"{array}\nfrom pingce import _core\n")
    return _formatted(f"{text}\n{_protocol(text)}")


def _protocol(text: str) -> str:
    """Write the module as a type: no annotation can name a module."""
    names = _CLASS.findall(text)
    classes = [f"    @property\n    def {name}(self) -> type[_core.{name}]: ..." for name in names]
    functions = "\n".join(f"    def {name}(self, {rest}" for name, rest in _FUNCTION.findall(text))
    functions = re.sub(rf"\b({'|'.join(names)})\b", r"_core.\1", functions)
    return "\n".join(["class Core(Protocol):", "    __name__: str", *classes, functions]) + "\n"


def public_stub(path: Path, parts: tuple[str, ...]) -> str:
    """A stub of public names with those of every task, in order."""
    from pingce.tasks import TASKS

    text = path.read_text(encoding="utf-8")
    for module, name in (task.place(part) for task in TASKS.values() for part in parts):
        line = f"from {module} import {name} as {name}\n"
        text = text if line in text else text.replace("\nfrom ", f"\n{line}from ", 1)
    return _formatted(text, path)


def _formatted(text: str, path: Path = STUB) -> str:
    ruff, name = str(Path(sys.executable).with_name("ruff")), f"--stdin-filename={path}"
    for words in (["check", "--select=I", "--fix-only", "--quiet"], ["format", "--quiet"]):
        text = subprocess.run([ruff, *words, name, "-"], input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> int:
    """Write the stubs, or with --check say which is out of date."""
    stubs = {STUB: core_stub()} | {path: public_stub(path, parts) for path, parts in PUBLIC.items()}
    stale = [path for path, text in stubs.items() if path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in sys.argv:
            print(f"{path.relative_to(PACKAGE)} is out of date: python scripts/make_stub.py", file=sys.stderr)
        else:
            path.write_text(stubs[path], encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
