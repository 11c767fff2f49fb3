"""Wrong usage of the command line, said in one sentence and in the reader's language."""

from __future__ import annotations

import re

import click

from pingce.base.text import Text, language

_USAGE = (
    (r"No such command '(.*)'", "没有命令 '{}'"),
    (r"Missing command", "缺少命令"),
    (r"Got unexpected extra arguments? \((.*)\)", "多余的参数：{}"),
)


def usage_problem(problem: click.ClickException) -> str:
    """Wrong usage in one sentence, with the command whose help tells more."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "pingce"
    message = _in_chinese(problem) if language() == "zh" else problem.format_message().rstrip(".")
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
