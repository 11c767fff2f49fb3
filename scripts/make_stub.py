"""Write src/pingce/_core.pyi, what type checkers know of the native core, from the core that is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).resolve().parents[1] / "src" / "pingce" / "_core.pyi"

_LAYOUT = re.compile(r"Annotated\[(NDArray(?:\[[\w.]+\])?), dict\(shape=\(None,\)[^()]*\)\]")
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


def _formatted(text: str) -> str:
    ruff, name = str(Path(sys.executable).with_name("ruff")), f"--stdin-filename={STUB}"
    for words in (["check", "--select=I", "--fix-only", "--quiet"], ["format", "--quiet"]):
        text = subprocess.run([ruff, *words, name, "-"], input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> int:
    """Write the stub, or with --check say whether it is out of date."""
    text = core_stub()
    if "--check" not in sys.argv:
        STUB.write_text(text, encoding="utf-8")
    elif STUB.read_text(encoding="utf-8") != text:
        print(f"{STUB.name} is out of date: python scripts/make_stub.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
