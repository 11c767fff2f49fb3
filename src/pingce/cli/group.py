"""The group of commands: each is imported when it is called, and speaks the reader's language."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from pingce.base.errors import InputError
from pingce.base.text import LANGUAGES, Language, Text, language

COMMANDS = {
    "eval": Text("Score runs against the truth.", "用真值给预测打分。"),
    "compare": Text("Compare runs or models: which differences are real?", "比较多份预测：差异是真是假？"),
    "curve": Text("Draw or tabulate ROC, PR, calibration and other curves.", "画出或列出 ROC、PR、校准等曲线。"),
    "check": Text(
        "Fail where a number is too low, too high, or dropped.", "数字过低、过高或下降时报错，用于持续集成。"
    ),
    "report": Text("Write one interactive HTML file about runs or models.", "写出一个可交互的 HTML 报告。"),
    "metrics": Text("List the metrics, or explain one.", "列出指标，或讲解其中一个。"),
    "explain": Text("Work out a number step by step.", "一步一步讲清一个数字是怎么算出来的。"),
    "conventions": Text("Say which formula each tool uses.", "说明各工具使用的公式。"),
    "trec_eval": Text("Print what trec_eval prints, to the byte.", "与 trec_eval 的输出逐字节一致。"),
    "demo": Text("Score two real runs that come with pingce.", "给随附的两组真实预测打分。"),
    "doctor": Text("Say what this installation has and lacks.", "检查安装情况。"),
}
_HEADINGS = {"Usage: ": "用法：", "Options": "选项", "Commands": "命令"}


def language_in(words: Sequence[str]) -> Language | None:
    """What `--lang` says, before anything else is read: help texts are written in that language."""
    said: Language | None = None
    for word, following in itertools.zip_longest(words, words[1:], fillvalue=""):
        value = following if word == "--lang" else word.removeprefix("--lang=") if word.startswith("--lang=") else None
        said = next((lang for lang in LANGUAGES if value == lang), said)
    return said


def heading(text: str) -> str:
    """A heading of click's own, translated."""
    return _HEADINGS.get(text, text) if language() == "zh" else text


def usage_problem(problem: click.ClickException) -> str:
    """Wrong usage in one sentence, with the command whose help tells more."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "pingce"
    said = _in_chinese(problem) if language() == "zh" else problem.format_message().rstrip(".")
    return said + str(Text(f" (see {command} --help)", f"（参见 {command} --help）"))


def _in_chinese(problem: click.ClickException) -> str:
    """Click's own sentence, translated by the kind of problem."""
    param = getattr(problem, "param", None)
    name = " / ".join(param.opts) if isinstance(param, click.Option) else getattr(param, "human_readable_name", "")
    if isinstance(problem, click.MissingParameter):
        return f"缺少参数 {name}"
    if isinstance(problem, click.NoSuchOption):
        close = f"；您是不是想写 {problem.possibilities[0]}？" if problem.possibilities else ""
        return f"没有选项 {problem.option_name}{close}"
    if isinstance(problem, click.BadOptionUsage):
        return f"选项 {problem.option_name} 需要一个值"
    if isinstance(problem, click.BadParameter):
        value = re.match(r"('.*?'|\S+) is not ", problem.message)
        return f"参数 {name} 的值{f' {value[1]} ' if value else ''}无效：{_allowed(param)}"
    message = problem.format_message().rstrip(".")
    matches = ((re.match(pattern, message), said) for pattern, said in _USAGE)
    return next((said.format(*found.groups()) for found, said in matches if found), f"用法有误：{message}")


_USAGE = (
    (r"No such command '(.*)'", "没有命令 '{}'"),
    (r"Missing command", "缺少命令"),
    (r"Got unexpected extra arguments? \((.*)\)", "多余的参数：{}"),
)


def _allowed(param: click.Parameter | None) -> str:
    kind = param.type if param is not None else None
    if isinstance(kind, click.Choice):
        return f"可选 {'、'.join(map(str, kind.choices))}"
    if isinstance(kind, click.IntRange):
        return f"须为不小于 {kind.min} 的整数" if kind.max is None else f"须为 {kind.min} 到 {kind.max} 的整数"
    if isinstance(kind, click.types.IntParamType):
        return "须为整数"
    return "须为数字" if isinstance(kind, click.types.FloatParamType) else "无法使用"


class Formatter(click.HelpFormatter):
    """Click's help with translated headings."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The usage line."""
        super().write_usage(prog, args, heading("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading_text: str) -> None:
        """A section's heading."""
        super().write_heading(heading(heading_text))


class Context(click.Context):
    """A context that writes help with our formatter."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose help is bilingual."""

    context_class = Context

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; a separator that was said is part of the format of tables."""
        separator = ctx.params.pop("sep", None)
        if separator is not None:
            ctx.params["input_format"] = _separated(separator, ctx.params.get("input_format"))
        return super().invoke(ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The help option, translated."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = str(Text("Show this message and exit.", "显示本说明并退出。"))
        return option


class Group(Command, click.Group):
    """The top: commands are known by name and one line until they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name == "evaluate":
            raise InputError(
                "the command is pingce eval: QRELS RUN… for rankings, FILE --label … --score … for clicks, FILE --true … --pred … for "
                "classes and numbers (see pingce eval --help)",
                "命令是 pingce eval：排序用 QRELS RUN…，点击用 FILE --label … --score …，类别和数值用 FILE --true … --pred …"
                "（参见 pingce eval --help）",
            )
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"pingce.cli.{cmd_name}").build()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line a command, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, str(text)) for name, text in COMMANDS.items()])


def _separated(separator: str, input_format: str | None) -> str:
    from pingce.inputs.tables.detect import separated_format

    if input_format not in (None, "csv", "tsv"):
        raise InputError(
            f"--sep is for tables in text, but --input-format is {input_format}; leave one of the two out",
            f"--sep 只用于文本表格，而 --input-format 为 {input_format}；请去掉其一",
        )
    return separated_format(separator)


def lang_option() -> click.Option:
    """`--lang`, understood by every command."""
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help=str(Text("Language; by default the locale's.", "语言；默认随系统。")),
    )


Option = tuple[list[str], dict[str, Any], Text]
"Its names, its settings, and what it is for."
SEPARATOR: Option = (
    ["--sep"],
    {"metavar": "CHARACTER"},
    Text(
        "What separates the columns of tables in text, e.g. ';', '|' or tab; by default a comma or a tab.",
        "文本表格的列分隔符，例如 ';'、'|' 或 tab；默认为逗号或制表符。",
    ),
)
OUTPUT: Option = (
    ["-o", "--output"],
    {"type": click.Path(dir_okay=False, path_type=Path)},
    Text(
        "Write to a file: its suffix says the format, without one it is a table; a suffix that cannot be written is refused.",
        "写入文件：由后缀决定格式，没有后缀则为表格；不能写出的后缀会被拒绝。",
    ),
)


def files_argument(metavar: str) -> click.Argument:
    """FILE..., each of which may be NAME=FILE: then the model in it has that name."""

    def read(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
        from pingce.inputs.titles import all_titled

        return all_titled(words)

    return click.Argument(["files"], metavar=metavar, nargs=-1, required=True, callback=read)


def with_default(text: Text, default: object) -> str:
    """A help text that ends with the default."""
    return str(Text(f"{text.en}  [default: {default}]", f"{text.zh}  [默认：{default}]"))


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    from pingce import __version__

    if wanted and not context.resilient_parsing:
        click.echo(f"pingce {__version__}")
        context.exit()


def build() -> click.Group:
    """The whole command line."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help=str(Text("Show the version and exit.", "显示版本并退出。")),
    )
    return Group(
        "pingce",
        params=[lang_option(), version],
        help=str(
            Text(
                "pingce (评测) measures how good rankings and recommendations are: exact, explained, fast.",
                "pingce（评测）：衡量排序与推荐的好坏，精确、讲得清、快。",
            )
        ),
        epilog="pingce eval QRELS RUN -m ndcg@10,map@100",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
