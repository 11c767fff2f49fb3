"""`pingce explain METRIC …`: the worked calculation, of files and a query, or of numbers written on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pingce.base.text import Text, language
from pingce.cli.eval import POLICY_HELP, policy_options, said_options
from pingce.cli.group import SEPARATOR, Command, lang_option, with_default
from pingce.cli.prediction_options import prediction_options
from pingce.inputs.tables import input_format_help

if TYPE_CHECKING:
    from pingce.explanations.derivation import Readable

FORMATS = ("text", "md", "html", "latex", "json")
_POLICIES = (*POLICY_HELP, "relevant", "judged_only", "threshold", "compare")
_NOT_HERE = ("ci", "samples", "seed", "group", "weight", "true_column", "pred_column", "id_column", "unmatched")
"Options of `pingce eval` that mean nothing here, or more than there."


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "explain",
        params=[
            click.Argument(["metric"], metavar="METRIC"),
            click.Argument(["files"], metavar="[QRELS RUN | PREDICTIONS]", nargs=-1),
            *_options(),
            *(option for option in prediction_options() if option.name not in _NOT_HERE),
            *policy_options(),
            lang_option(),
        ],
        callback=show,
        help=str(
            Text(
                "Work out a number step by step: for one query of a ranking (QRELS RUN --query ID), for predictions (a table with columns for labels and scores, classes, or numbers), or for numbers written here (--grades, --labels and --scores, --true and --pred).",
                "一步一步讲清一个数字：排序中的某个查询（QRELS RUN --query 编号），预测（含标签与分数、类别或数值列的表），或直接写出的数字（--grades，--labels 与 --scores，--true 与 --pred）。",
            )
        ),
        epilog="pingce explain ndcg@5 --grades 3,2,3,0,1    pingce explain ndcg@10 qrels.txt bm25.run --query q17 --against ranx    "
        "pingce explain auc --labels 1,0,1,0 --scores .9,.8,.7,.1",
    )


def _options() -> list[click.Parameter]:
    said: list[tuple[list[str], dict[str, Any], Text]] = [
        (["--query"], {"metavar": "ID"}, Text("The query of the ranking.", "排序中的查询。")),
        (["--grades"], {"metavar": "G,G,..."}, Text("Grades in ranked order; ? = not judged.", "按名次的等级；? 表示未标注。")),
        (["--judged"], {"metavar": "G,G,..."}, Text("Grades of all judged items, those of the list among them.", "全部已标注条目的等级，列表中的也在内。")),
        (["--labels"], {"metavar": "L,L,..."}, Text("Labels of two kinds, a row each.", "两种取值的标签，每行一个。")),
        (["--scores"], {"metavar": "S,S,..."}, Text("Scores of these rows.", "这些行的分数。")),
        (["--true", "true"], {"metavar": "COLUMN|V,V,..."}, Text("True classes or numbers: a column of the table, or values.", "真实类别或数值：表中的列，或直接写出的值。")),
        (["--pred", "pred"], {"metavar": "COLUMN|V,V,..."}, Text("Predicted ones, likewise.", "预测的类别或数值，写法同上。")),
        (["--group"], {"metavar": "COLUMN|V,V,..."}, Text("Users or requests, for gauc, likewise.", "用户或请求，用于 gauc，写法同上。")),
        (["--weight", "--sample-weight"], {"metavar": "COLUMN|V,V,..."}, Text("How often each row counts, likewise.", "每行的权重，写法同上。")),
        (["--class", "of_class"], {"metavar": "LABEL"}, Text("Only this class.", "只讲这一个类别。")),
        (["--of-group"], {"metavar": "ID"}, Text("Only the rows of this group (with --group).", "只讲这一组的行（与 --group 同用）。")),
        (["--convention"], {"metavar": "TOOL"}, Text("As this tool calculates.", "按该工具的算法。")),
        (["--against"], {"metavar": "TOOL"}, Text("Also as this tool calculates, with the first line that differs marked.", "同时给出该工具的算法，并标出第一处不同。")),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default text, or by -o's suffix.", "输出格式；默认为文本，或由 -o 的后缀决定。")),
        (["-o", "--output"], {"type": click.Path(dir_okay=False, path_type=Path)}, Text("Write to a file: its suffix says the format, without one it is text; a suffix that cannot be written is refused.", "写入文件：由后缀决定格式，没有后缀则为文本；不能写出的后缀会被拒绝。")),
        (["-p", "--places"], {"type": click.IntRange(min=-1, max=30), "default": 4}, Text("Decimals; -1: all.", "小数位数；-1 表示全部。")),
        (["--input-format"], {}, input_format_help()),
        SEPARATOR,
        (["--columns"], {"multiple": True, "metavar": "ROLE=NAME"}, Text("Columns of a ranking by role: query=uid,item=iid,grade=g,score=s.", "按角色指定排序表的列：query=uid,item=iid,grade=g,score=s。")),
        (["--encoding"], {}, Text("Encoding of text files, e.g. gb18030; by default UTF-8.", "文本文件的编码，例如 gb18030；默认 UTF-8。")),
        (["--exclude"], {"metavar": "FILE"}, Text("Pairs (query, item) taken out of the run before ranking.", "排序前从预测中去掉的（查询，条目）对。")),
        (["--threads"], {"type": click.IntRange(min=1)}, Text("Threads; by default all cores, or PINGCE_THREADS.", "线程数；默认用全部核心，或 PINGCE_THREADS。")),
    ]  # fmt: skip
    return [
        click.Option(names, help=with_default(text, 4) if "-p" in names else str(text), **settings)
        for names, settings, text in said
    ]


def show(metric: str, files: tuple[str, ...], **options: Any) -> Readable:
    """Read, work out, write; what was written goes back to the caller."""
    from pingce.cli.output import chosen_format, write

    out_format = chosen_format(options["out_format"], options["output"], FORMATS)
    said = said_options(click.get_current_context())
    policies = {name: options[name] for name in _POLICIES if name in said}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _explained(metric, files, options, policies)
    write(_rendered(found, out_format, options), options["output"])
    return found


def _explained(metric: str, files: tuple[str, ...], options: dict[str, Any], policies: Mapping[str, Any]) -> Readable:
    from pingce.cli.explain_inputs import explain_arguments
    from pingce.explanations.call import explain

    return explain(
        metric,
        **explain_arguments(metric, files, options),
        convention=options["convention"],
        against=options["against"],
        **policies,
    )


def _rendered(found: Readable, out_format: str, options: Mapping[str, Any]) -> str:
    places = options["places"]
    if out_format == "html":
        from pingce.explanations.render import web_page

        return web_page(found, places, language())
    if out_format == "text":
        return found.to_text(places, fancy=options["output"] is None and sys.stdout.isatty())
    if out_format == "json":
        return found.to_json()
    return found.to_markdown(places) if out_format == "md" else found.to_latex(places)
