"""What an option of the command line is: its words and type, where it belongs, and its place in a Request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from pingce.base.text import Text
from pingce.cli.group import GroupOption
from pingce.tasks import TASKS


def with_default(text: Text, default: object) -> Text:
    """A help text that ends with the default."""
    return Text(f"{text.en}  [default: {default}]", f"{text.zh}  [默认：{default}]")


@dataclass(frozen=True)
class Option:
    """One option, as some commands have it; others may have one of the same name with another meaning."""

    flags: str
    "As they are written; last the name of the value, where it is another."
    help: Text
    group: str
    commands: tuple[str, ...]
    tasks: tuple[str, ...] = tuple(TASKS)
    "Those to which it means something."
    place: str = ""
    "Where its value stands in a Request, e.g. `reading.encoding`; nowhere if it says what becomes of scores."
    type: Any = None
    metavar: str | None = None
    default: Any = None
    usual: Any = None
    "What the help calls the default, where the value is None for one that was not written."
    multiple: bool = False
    is_flag: bool = False

    @property
    def name(self) -> str:
        """What its value is called."""
        words = self.flags.split()
        return words[-1] if not words[-1].startswith("-") else self.flag.lstrip("-").replace("-", "_")

    @property
    def flag(self) -> str:
        """How sentences call it: by its first long name."""
        words = self.flags.split()
        return next((word for word in words if word.startswith("--")), words[0])

    @property
    def unset(self) -> Any:
        """The value of one that does not stand on the command line."""
        return () if self.multiple else False if self.is_flag else self.default

    def parameter(self) -> click.Option:
        """The option for click, in the language in force."""
        default = self.default if self.usual is None else self.usual
        text = self.help if default is None else with_default(self.help, default)
        kinds: dict[str, Any] = {"is_flag": True} if self.is_flag else {"type": self.type, "multiple": self.multiple}
        if self.default is not None:
            kinds["default"] = self.default
        option = GroupOption(self.flags.split(), help=str(text), metavar=self.metavar, **kinds)
        option.group = self.group
        return option
