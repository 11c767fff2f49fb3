"""What is done when it is first asked for: imports of a package's names (a cold start is a feature), and properties."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property", "compute", "importer", "pa", "stub_importer"]

if TYPE_CHECKING:
    from functools import cached_property

    import pyarrow as pa
    from pyarrow import compute
else:

    class _Module:
        """A module that is imported when something of it is first wanted."""

        def __init__(self, name: str) -> None:
            self.__name__ = name
            self._module: Any = None

        def __getattr__(self, name: str) -> Any:
            if self._module is None:
                self._module = import_module(self.__name__)
            return getattr(self._module, name)

        def __reduce__(self) -> tuple[Any, ...]:
            return _Module, (self.__name__,)

    pa, compute = _Module("pyarrow"), _Module("pyarrow.compute")

    class cached_property:  # noqa: N801 - it stands for that of functools
        """A property that is computed once for each object, without a lock.

        That of functools has one for all objects of a class up to Python 3.11: a process that is forked while another
        thread computes would wait for it for ever. Two threads at once may compute twice, and have the same value.
        """

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            # Stored whatever is there: a subclass that asks its parent's property of this name has the last word.
            value = instance.__dict__[self.name] = self.compute(instance)
            return value


def importer(package: str, module_of: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that says in which of its modules each name lives."""

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get


def stub_importer(package: str) -> tuple[Callable[[], Mapping[str, str]], Callable[[str], Any]]:
    """The names of a package's stub with their modules, and its `__getattr__`; the stub is read when a name is wanted.

    In the stub a name is a line: `from package.module import name as name`.
    """
    module_of: dict[str, str] = {}

    def names() -> Mapping[str, str]:
        if not module_of:
            module: Any = sys.modules[package]
            stub = module.__spec__.loader.get_data(f"{module.__path__[0]}/__init__.pyi").decode("utf-8")
            lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
            module_of.update({words[-1]: words[1].removeprefix(f"{package}.") for words in lines})
        return module_of

    def get(name: str) -> Any:
        return importer(package, names())(name)

    return names, get
