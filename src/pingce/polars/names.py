"""Which functions of pingce give one number from two columns."""

from __future__ import annotations

import inspect

from pingce import functions


def names() -> list[str]:
    """Their names, as the functions stand."""
    public = {name: each for name, each in vars(functions).items() if inspect.isfunction(each) and name[0] != "_"}
    local = {name: each for name, each in public.items() if each.__module__ == functions.__name__}
    return [name for name, each in local.items() if each.__annotations__["return"] == "float"]
