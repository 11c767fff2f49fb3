"""`pingce demo`: the main job on data that comes with the package, a section a task."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click

from pingce.base.atomic import write_whole
from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.cli.commands import build
from pingce.cli.output import tell


@dataclass(frozen=True)
class Section:
    """One call of `pingce eval`: files of the package by name, then options."""

    title: Text
    files: str
    options: str = ""


_CLICKS = "--label click --score pctr_a --score pctr_b --group user_id"
SECTIONS = (
    Section(
        Text("Ranking: image retrieval, 200 handwritten digits, top 100 each, same digit = relevant", "排序：图像检索，200 个手写数字查询，各取前 100，同一数字为相关"),
        "digits.qrels.gz pixels.run.gz pca8.run.gz",
    ),
    Section(
        Text("Click prediction: a SYNTHETIC log of 12,000 impressions and 400 users, two models", "点击预估：人工合成的日志，12,000 次曝光、400 个用户，两个模型"),
        "ctr_log.parquet", f"{_CLICKS} -m auc,gauc,logloss,ece,pcoc",
    ),
    Section(
        Text("Two classes: breast cancer, predictions of two models on rows they had not seen", "二分类：乳腺癌数据，两个模型在未见过的样本上的预测"),
        "breast_cancer.csv", "--label label --positive malignant --score logistic --score naive_bayes",
    ),
    Section(
        Text("Ten classes: handwritten digits, predictions of a nearest-mean classifier", "多分类：手写数字，最近类均值分类器的预测"),
        "digits_classes.csv", "--true true --pred pred -m accuracy,f1(average=macro),kappa",
    ),
    Section(
        Text("Numbers: diabetes, predictions of a linear regression", "数值：糖尿病数据，线性回归的预测"),
        "diabetes.csv", "--true true --pred pred",
    ),
)  # fmt: skip
REPORTS = (
    Section(SECTIONS[0].title, SECTIONS[0].files, "-o pingce-demo-report.html"),
    Section(
        SECTIONS[1].title, SECTIONS[1].files, f"{_CLICKS} -m auc,gauc,logloss,pr_auc -o pingce-demo-click-report.html"
    ),
)
"The last word of each is the name of its file."
ABOUT = {"README.md": "pingce-demo.md"}
"Files of the package that get another name among somebody else's."


def options() -> list[click.Parameter]:
    """The options, in the language in force."""
    folder = click.Path(file_okay=False, path_type=Path)
    kinds: dict[str, dict[str, Any]] = {
        "--report": {"metavar": "[DIR]", "type": folder, "is_flag": False, "flag_value": Path()},
        "--no-report": {"is_flag": True, "hidden": True},
        "--data": {"metavar": "DIR", "type": folder},
    }
    texts = (
        Text("Also write the interactive reports into this folder; without a name, where you are.", "同时把可交互的报告写入该文件夹；不写名称则为当前文件夹。"),
        Text("No reports, as by default.", "不写报告，即默认。"),
        Text("Leave the demo's files in this folder, to try the commands on them.", "把演示数据留在该文件夹，便于自己试用命令。"),
    )  # fmt: skip
    return [click.Option([flag], help=str(text), **kinds[flag]) for flag, text in zip(kinds, texts, strict=True)]


def show(*, report: Path | None = None, data: Path | None = None, no_report: bool = False) -> None:
    """Each section: what it is, the command, its table, and the table in words; then the reports, where asked for."""
    with as_file(files("pingce") / "demo") as bundled:
        folder = bundled if data is None else copy_files(bundled, data)
        for number, section in enumerate(SECTIONS):
            sys.stdout.write(("\n" if number else "") + f"# {section.title}\n\n")
            sys.stdout.flush()
            options = [*section.options.split(), "--explain-numbers"]
            _echo("eval", section.files, data, options)
            _run("eval", section.files, folder, options)
        if report is not None and not no_report:
            make_folder(report)
            for page in REPORTS:
                _write_report(page, report, folder, data)


def make_folder(folder: Path) -> None:
    """The folder, and those above it, where they are not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = problem.strerror or problem
        raise InputError(f"{folder}: cannot be made ({reason})", f"{folder}：无法创建（{reason}）") from None


def copy_files(bundled: Path, folder: Path) -> Path:
    """Copy the demo's files; where one of another content is in the way, nothing is written."""
    contents = {
        folder / ABOUT.get(file.name, file.name): file.read_bytes()
        for file in sorted(bundled.iterdir())
        if file.is_file()
    }
    make_folder(folder)
    for target, content in contents.items():
        if target.is_symlink() or (target.exists() and not (target.is_file() and target.read_bytes() == content)):
            raise InputError(
                f"{target}: there is something else of this name; choose an empty folder",
                f"{target}：已有同名的其他内容；请换一个空文件夹",
            )
    for target, content in contents.items():
        write_whole(target, content, follow_links=False)
    tell(Text(f"{folder}: {len(contents)} files of the demo", f"{folder}：{len(contents)} 个演示文件"))
    return folder


def _write_report(page: Section, where: Path, folder: Path, data: Path | None) -> None:
    """Make a report in a folder of its own, then put it in its place: a link there is never written through."""
    from tempfile import TemporaryDirectory

    *options, name = page.options.split()
    target = where / name
    _echo("report", page.files, data, [*options, str(target)])
    with TemporaryDirectory(prefix="pingce-demo-") as temporary:
        _run("report", page.files, folder, [*options, str(Path(temporary) / name), "--quiet"])
        content = (Path(temporary) / name).read_bytes()
    write_whole(target, content, follow_links=False)
    size = len(content) / 1000
    tell(Text(f"{target}: {size:.0f} kB; open it in a browser", f"{target}：{size:.0f} kB；请用浏览器打开"))


def _echo(name: str, files: str, folder: Path | None, options: Sequence[str]) -> None:
    words = [*((file if folder is None else str(folder / file)) for file in files.split()), *options]
    quoted = [f"'{word}'" if set(word) & set("() ") else word for word in words]
    tell(f"$ pingce {name} {' '.join(quoted)}")


def _run(name: str, files: str, folder: Path, options: Sequence[str]) -> None:
    command = build(name)
    with command.make_context(name, [*(str(folder / file) for file in files.split()), *options]) as context:
        command.invoke(context)
