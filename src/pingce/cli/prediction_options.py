"""Options of commands that read predictions: which columns are labels, scores, groups and weights."""

from __future__ import annotations

import click

from pingce.base.text import Text
from pingce.cli.group import with_default
from pingce.tasks import TASKS


def column_options() -> list[click.Parameter]:
    """Which columns of the tables play which role."""
    said = [
        (["--label"], {"metavar": "COLUMN"}, Text("Labels of two kinds, e.g. click.", "两种取值的标签列，例如 click。")),
        (["--score"], {"metavar": "COLUMN", "multiple": True}, Text("Scores or probabilities; repeated = several models.", "分数或概率列；重复给出即多个模型。")),
        (["--positive"], {"metavar": "LABEL"}, Text("The positive label; of numbers by default the larger.", "正类的标签；数值默认取较大者。")),
        (["--weight", "--sample-weight"], {"metavar": "COLUMN"}, Text("How often each row counts.", "每行的权重列。")),
        (["--id", "id_column"], {"metavar": "COLUMN"}, Text("Matches the rows of several prediction files by this column.", "按该列对齐多个预测文件的行。")),
        (["--unmatched"], {"type": click.Choice(["error", "drop"])}, Text("Of ids that not every file has: refuse (by default), or leave them out.", "并非每个文件都有的编号：报错（默认），或不计入。")),
    ]  # fmt: skip
    return [click.Option(names, help=str(text), **settings) for names, settings, text in said]  # type: ignore[arg-type]


def prediction_options() -> list[click.Parameter]:
    """Those of `pingce eval`."""
    said = [
        (["--task"], {"type": click.Choice(tuple(TASKS))}, Text("By default inferred from the columns, and said.", "默认由各列推断，并说明。")),
        (["--group"], {"metavar": "COLUMN"}, Text("Users or requests, for gauc.", "用户或请求列，用于 gauc。")),
        (["--true", "true_column"], {"metavar": "COLUMN"}, Text("True classes or numbers.", "真实类别或数值列。")),
        (["--pred", "pred_column"], {"metavar": "COLUMN", "multiple": True}, Text("Predicted classes or numbers; repeated = several models.", "预测类别或数值列；重复给出即多个模型。")),
        (["--threshold"], {"type": float}, Text("Predicted positive if score ≥ this.", "分数 ≥ 该值即预测为正。")),
        (["--compare"], {"type": click.Choice(["ge", "gt"])}, Text("≥ or > the threshold.", "与阈值比较用 ≥ 还是 >。")),
        (["--ci"], {"type": float, "metavar": "SHARE"}, Text("Confidence intervals, e.g. 0.95.", "置信区间，例如 0.95。")),
        (["--samples"], {"type": int}, Text("Bootstrap samples.", "自助抽样次数。")),
        (["--seed"], {"type": int}, Text("Seed of the bootstrap.", "自助抽样的随机种子。")),
    ]  # fmt: skip
    defaults = {"--threshold": 0.5, "--compare": "ge", "--samples": 1000, "--seed": 0}
    own: list[click.Parameter] = [
        click.Option(
            names, help=with_default(text, defaults[names[0]]) if names[0] in defaults else str(text), **settings
        )  # type: ignore[arg-type]
        for names, settings, text in said
    ]
    return [*own[:1], *column_options(), *own[1:]]


PREDICTION_NAMES = (
    "task",
    "label",
    "score",
    "positive",
    "weight",
    "id_column",
    "unmatched",
    "group",
    "true_column",
    "pred_column",
    "threshold",
    "compare",
    "bins",
    "ci",
    "samples",
    "seed",
)
"As their values are called."
