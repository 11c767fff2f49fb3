"""The group of commands: each is imported when it is called, and speaks the reader's language."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import click

from pingce import __version__
from pingce.base.errors import InputError
from pingce.base.text import LANGUAGES, Language, Text, language

COMMANDS = {
    "eval": Text("Score rankings, click predictions, classes or numbers.", "给排序、点击预估、类别或数值预测打分。"),
    "eval-factors": Text(
        "Score a model by its vectors, over the whole catalogue.", "按向量给模型打分，对整个目录排序。"
    ),
    "compare": Text("Compare runs or models: which differences are real?", "比较多份预测：差异是真是假？"),
    "similar": Text(
        "Put two runs side by side: what changed, and where most?", "对照两份排序结果：变了什么，哪里变得最多？"
    ),
    "fuse": Text(
        "Fuse runs into one: RRF, combSUM, Borda and others.", "把多份排序结果融合为一份：RRF、combSUM、Borda 等。"
    ),
    "split": Text(
        "Split a log into train and test, the same on every machine.", "划分训练集与测试集，在任何机器上结果相同。"
    ),
    "leak": Text("Look for test data in the training data.", "检查测试数据是否泄漏到训练数据中。"),
    "curve": Text("Draw or tabulate ROC, PR, calibration and other curves.", "画出或列出 ROC、PR、校准等曲线。"),
    "check": Text(
        "Fail where a number is too low, too high, or dropped.", "数字过低、过高或下降时报错，用于持续集成。"
    ),
    "report": Text("Write one interactive HTML file about runs or models.", "写出一个可交互的 HTML 报告。"),
    "metrics": Text("List the metrics, or explain one.", "列出指标，或讲解其中一个。"),
    "explain": Text("Work out a number step by step.", "一步一步讲清一个数字是怎么算出来的。"),
    "sql": Text("Print the query of a metric for a database.", "打印在数据库中计算指标的查询。"),
    "conventions": Text("Say which formula each tool uses.", "说明各工具使用的公式。"),
    "trec_eval": Text("Print what trec_eval prints, to the byte.", "与 trec_eval 的输出逐字节一致。"),
    "ndeval": Text("Print what ndeval prints, to the byte.", "与 ndeval 的输出逐字节一致。"),
    "demo": Text("Score five tasks on data that comes with pingce.", "在随附的数据上给五类任务打分。"),
    "doctor": Text("Say what this installation has and lacks.", "检查安装情况。"),
    "completion": Text("Print the script that completes words in a shell.", "输出 shell 补全脚本。"),
}
_HEADINGS = {"Usage: ": "用法：", "Options": "选项", "Commands": "命令", "Examples": "示例"}
GROUPS = {
    "metrics": Text("Metrics", "指标"),
    "rules": Text("Rules", "规则"),
    "comparison": Text("Comparison", "比较"),
    "fusion": Text("Fusion", "融合"),
    "splitting": Text("Splitting", "划分"),
    "curve": Text("Curve", "曲线"),
    "values": Text("Numbers written here", "直接写出的数字"),
    "output": Text("Output", "输出"),
    "input": Text("Input", "输入"),
    "predictions": Text("Predictions: labels and scores, classes, numbers", "预测表：标签与分数、类别、数值"),
    "policies": Text("Policies, where data leaves a choice", "策略：数据有多种处理方式时"),
    "scale": Text("Scale", "规模"),
}
"Headings of the options of a command, in the order of its help."


def _translated(heading: str) -> str:
    return _HEADINGS.get(heading, heading) if language() == "zh" else heading


def language_in(words: Sequence[str]) -> Language | None:
    """What `--lang` says, before anything else is read: help texts are written in that language."""
    written: Language | None = None
    for word, following in itertools.zip_longest(words, words[1:], fillvalue=""):
        value = following if word == "--lang" else word.removeprefix("--lang=") if word.startswith("--lang=") else None
        written = next((lang for lang in LANGUAGES if value == lang), written)
    return written


class Formatter(click.HelpFormatter):
    """Click's help with translated headings."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(prog, args, _translated("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(_translated(heading))


class Context(click.Context):
    """A context that writes help with our formatter."""

    formatter_class = Formatter


def complete_value(context: click.Context, param: click.Parameter, incomplete: str) -> Any:
    """What a shell offers for a value; what knows it is imported when a shell asks."""
    from pingce.cli.completion import suggest

    return suggest(context, param, incomplete)


class GroupOption(click.Option):
    """An option that stands under a heading in the help."""

    group = ""


class Command(click.Command):
    """A command whose help is bilingual: options under headings, then examples. Each has `--lang`."""

    context_class = Context

    def __init__(
        self,
        name: str,
        text: Text,
        params: Sequence[click.Parameter],
        callback: Callable[..., Any] | None = None,
        examples: Sequence[str] = (),
        **settings: Any,
    ) -> None:
        lang = click.Option(
            ["--lang"],
            type=click.Choice(LANGUAGES),
            expose_value=False,
            help=str(Text("Language; by default the locale's.", "语言；默认随系统。")),
        )
        super().__init__(name, params=[*params, lang], callback=callback, help=str(text), **settings)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings; those of every command come last."""
        records: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                records.setdefault(getattr(param, "group", ""), []).append(record)
        for group in (*GROUPS, ""):
            if group in records:
                with formatter.section(str(GROUPS[group]) if group else "Options"):
                    formatter.write_dl(records[group])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each in a line that can be copied."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{'':>{formatter.current_indent}}{line}\n" for line in self.examples))

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
        from pingce.cli.commands import build

        return build(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Any:
        """What a shell offers at the top: commands without importing any, then options."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=str(text)) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*names, *Command.shell_complete(self, ctx, incomplete)] if incomplete.startswith("-") else names

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

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


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"pingce {__version__}")
        context.exit()


def _show_overview() -> None:
    """What a command line without a command gets."""
    if click.get_current_context().invoked_subcommand is None:
        from pingce.cli.overview import show

        show()


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
        Text(
            "pingce (评测) measures how good rankings, recommendations, click predictions, classes and numbers are: exact, explained, fast.",
            "pingce（评测）：衡量排序与推荐、点击预估、分类与数值预测的好坏，精确、讲得清、快。",
        ),
        [version],
        _show_overview,
        examples=(
            "pingce eval QRELS RUN -m ndcg@10,map@100",
            "pingce eval preds.parquet --label click --score pctr --group user_id",
            "pingce eval preds.csv --true y --pred y_hat",
        ),
        context_settings={"help_option_names": ["-h", "--help"]},
        invoke_without_command=True,
        no_args_is_help=False,
    )


_USAGE = (
    (r"No such command '(.*)'", "没有命令 '{}'"),
    (r"Missing command", "缺少命令"),
    (r"Got unexpected extra arguments? \((.*)\)", "多余的参数：{}"),
)


def usage_problem(problem: click.ClickException) -> str:
    """Wrong usage in one sentence, with the command whose help tells more."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "pingce"
    message = _in_chinese(problem) if language() == "zh" else problem.format_message().replace("\n\t", " ").rstrip(".")
    return message + str(Text(f" (see {command} --help)", f"（参见 {command} --help）"))


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
    matches = ((re.match(pattern, message), text) for pattern, text in _USAGE)
    return next((text.format(*match.groups()) for match, text in matches if match), f"用法有误：{message}")


def _allowed(param: click.Parameter | None) -> str:
    kind = param.type if param is not None else None
    if isinstance(kind, click.Choice):
        return f"可选 {'、'.join(map(str, kind.choices))}"
    if isinstance(kind, click.IntRange):
        return f"须为不小于 {kind.min} 的整数" if kind.max is None else f"须为 {kind.min} 到 {kind.max} 的整数"
    if isinstance(kind, click.types.IntParamType):
        return "须为整数"
    return "须为数字" if isinstance(kind, click.types.FloatParamType) else "无法使用"
