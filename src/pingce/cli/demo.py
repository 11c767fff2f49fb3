"""`pingce demo`: the main job on data that comes with the package, a section a task."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path

import click

from pingce.cli.group import Command, lang_option, with_default
from pingce.language import Text


@dataclass(frozen=True)
class Section:
    """One call of `pingce eval`: files of the package by name, then options."""

    title: Text
    files: tuple[str, ...]
    options: tuple[str, ...] = ()


SECTIONS = (
    Section(
        Text(
            "Ranking: image retrieval, 200 handwritten digits, top 100 each, same digit = relevant",
            "排序：图像检索，200 个手写数字查询，各取前 100，同一数字为相关",
        ),
        ("digits.qrels.gz", "pixels.run.gz", "pca8.run.gz"),
    ),
    Section(
        Text(
            "Click prediction: a SYNTHETIC log of 12,000 impressions and 400 users, two models",
            "点击预估：人工合成的日志，12,000 次曝光、400 个用户，两个模型",
        ),
        ("ctr_log.parquet",),
        (
            *("--label", "click", "--score", "pctr_a", "--score", "pctr_b", "--group", "user_id"),
            *("-m", "auc,gauc,logloss,ece,pcoc"),
        ),
    ),
    Section(
        Text(
            "Two classes: breast cancer, predictions of two models on rows they had not seen",
            "二分类：乳腺癌数据，两个模型在未见过的样本上的预测",
        ),
        ("breast_cancer.csv",),
        ("--label", "label", "--positive", "malignant", "--score", "logistic", "--score", "naive_bayes"),
    ),
    Section(
        Text(
            "Ten classes: handwritten digits, predictions of a nearest-mean classifier",
            "多分类：手写数字，最近类均值分类器的预测",
        ),
        ("digits_classes.csv",),
        ("--true", "true", "--pred", "pred", "-m", "accuracy,f1(average=macro),kappa"),
    ),
    Section(
        Text("Numbers: diabetes, predictions of a linear regression", "数值：糖尿病数据，线性回归的预测"),
        ("diabetes.csv",),
        ("--true", "true", "--pred", "pred"),
    ),
)

REPORTS = (
    Section(SECTIONS[0].title, SECTIONS[0].files, ("-o", "pingce-demo-report.html")),
    Section(
        SECTIONS[1].title,
        SECTIONS[1].files,
        (*SECTIONS[1].options[:-2], "-m", "auc,gauc,logloss,pr_auc", "-o", "pingce-demo-click-report.html"),
    ),
)
"Written to the current folder."


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "demo",
        params=[_report_option(), lang_option()],
        callback=show,
        help=str(
            Text(
                "Score rankings, click predictions, classes and numbers that come with pingce, and say what the numbers mean.",
                "给随附的排序、点击预估、分类与数值预测打分，并说明这些数字的含义。",
            )
        ),
    )


def _report_option() -> click.Option:
    said = Text(
        "Also write the interactive reports, into the folder where you are.", "同时在当前文件夹写出可交互的报告。"
    )
    return click.Option(["--report/--no-report"], default=True, help=with_default(said, "--report"))


def show(*, report: bool = True) -> None:
    """Each section: what it is, the command, its table, and the table in words; then the reports."""
    with as_file(files("pingce") / "demo") as folder:
        for number, section in enumerate(SECTIONS):
            sys.stdout.write(("\n" if number else "") + f"# {section.title}\n\n")
            sys.stdout.flush()
            _run("eval", section.files, [*section.options, "--explain-numbers"], folder)
        if report:
            for page in REPORTS:
                _run("report", page.files, page.options, folder)


def _run(name: str, data: Sequence[str], options: Sequence[str], folder: Path) -> None:
    quoted = [f"'{word}'" if set(word) & set("() ") else word for word in (*data, *options)]
    sys.stderr.write(f"$ pingce {name} {' '.join(quoted)}\n")
    command = import_module(f"pingce.cli.{name}").build()
    with command.make_context(name, [*(str(folder / file) for file in data), *options]) as context:
        command.invoke(context)
