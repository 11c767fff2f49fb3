"""`pingce eval QRELS RUN…`: the main job."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pingce.cli.group import Command, lang_option, with_default
from pingce.evidence.policies import CHOICES
from pingce.language import Text

if TYPE_CHECKING:
    from pingce.scores import Scores

FORMATS = ("table", "json", "jsonl", "csv", "tsv", "md", "latex", "trec")
POLICY_HELP = {
    "missing": Text("A judged query the run does not answer.", "预测没有回答的已标注查询。"),
    "extra": Text("A query of the run without judgements.", "没有标注的预测查询。"),
    "undefined": Text("A query for which a metric is undefined.", "指标没有定义的查询。"),
    "ties": Text("Equal scores in a list.", "列表中的同分条目。"),
    "score_type": Text(
        "Scores are rounded to this type before ties are looked for.", "判断并列之前，先把分数取为该类型。"
    ),
    "duplicates": Text("An item twice in one query.", "同一查询中重复的条目。"),
    "nan": Text("A score that is not a number.", "不是数字的分数。"),
    "summation": Text("How the mean over queries is summed.", "对查询求和的方式。"),
}


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "eval",
        params=[*_arguments(), *_options(), *_policy_options(), lang_option()],
        callback=evaluate,
        help=str(
            Text(
                "Score one or more RUNs against QRELS, the truth. Files: TREC, CSV, TSV, JSONL, JSON, Parquet, Feather; .gz, .bz2, .zst too; a folder or a quoted pattern of them; - is standard input.",
                "用真值 QRELS 给一个或多个预测 RUN 打分。文件格式：TREC、CSV、TSV、JSONL、JSON、Parquet、Feather，可为 .gz、.bz2、.zst，也可以是文件夹或加引号的模式；- 表示标准输入。",
            )
        ),
        epilog="pingce eval qrels.txt bm25.run dense.run -m 'ndcg@10,ap(norm=min)@100' -f md",
    )


def _arguments() -> list[click.Parameter]:
    return [
        click.Argument(["qrels"], metavar="QRELS"),
        click.Argument(["runs"], metavar="RUN...", nargs=-1, required=True),
    ]


def _options() -> list[click.Parameter]:
    """The options that are not policies."""
    said = [
        (["-m", "--metrics"], {"multiple": True}, Text("Metrics, by comma or repeated.", "指标，可用逗号分隔或重复给出。")),
        (["-k"], {"type": click.IntRange(min=1), "default": None}, Text("Cut-off for names without @k.", "未写 @k 的指标的截断位置。")),
        (["-q", "--per-query"], {"is_flag": True}, Text("Also the value of each query.", "同时给出每个查询的值。")),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default a table, or by -o's suffix.", "输出格式；默认为表格，或由 -o 的后缀决定。")),
        (["-o", "--output"], {"type": click.Path(dir_okay=False, path_type=Path)}, Text("Write to a file.", "写入文件。")),
        (["-p", "--places"], {"type": click.IntRange(min=-1, max=30), "default": 4}, Text("Decimals in tables; -1: all.", "表格的小数位数；-1 表示全部。")),
        (["--input-format"], {}, Text("trec, csv, tsv, jsonl, json, parquet or feather; by default recognised.", "trec、csv、tsv、jsonl、json、parquet 或 feather；默认自动识别。")),
        (["--columns"], {"multiple": True, "metavar": "ROLE=NAME"}, Text("Columns by role: query=uid,item=iid,grade=g,score=s,rank=r,weight=w; run.query=…, exclude.item=… for one table.", "按角色指定列：query=uid,item=iid,grade=g,score=s,rank=r,weight=w；run.query=…、exclude.item=… 只用于一张表。")),
        (["--encoding"], {}, Text("Encoding of text files, e.g. gb18030; by default UTF-8.", "文本文件的编码，例如 gb18030；默认 UTF-8。")),
        (["--exclude"], {"metavar": "FILE"}, Text("Pairs (query, item) taken out of the runs before ranking, e.g. items already seen.", "排序前从预测中去掉的（查询，条目）对，例如已看过的条目。")),
        (["--query-weight"], {"metavar": "FILE"}, Text("How much each query counts in a mean: query and weight.", "各查询在均值中的权重：query 与 weight 两列。")),
        (["--bom"], {"is_flag": True}, Text("Begin a CSV or TSV file with a byte-order mark, for Excel.", "在 CSV、TSV 文件开头写入字节序标记，便于 Excel 打开。")),
        (["--escape-formulas"], {"is_flag": True}, Text("In CSV and TSV, put ' before cells that a spreadsheet would compute.", "在 CSV、TSV 中，为电子表格会当作公式计算的单元格加上前缀 '。")),
        (["--threads"], {"type": click.IntRange(min=1)}, Text("Threads; by default all cores, or PINGCE_THREADS.", "线程数；默认用全部核心，或 PINGCE_THREADS。")),
        (["--quiet"], {"is_flag": True}, Text("No notes and counts on stderr.", "不在 stderr 输出说明与计数。")),
    ]  # fmt: skip
    return [
        click.Option(names, help=with_default(text, 4) if "-p" in names else str(text), **settings)  # type: ignore[arg-type]
        for names, settings, text in said
    ]


def _policy_options() -> list[click.Parameter]:
    options: list[click.Parameter] = [
        click.Option(
            ["-l", "--relevant"],
            default="1",
            help=with_default(
                Text("Grade from which an item is relevant, or any.", "从该等级起算相关，或 any（凡标注皆相关）。"), 1
            ),
        ),
        click.Option(
            ["-J", "--judged-only"],
            is_flag=True,
            help=str(Text("Drop unjudged items first (trec_eval -J).", "先去掉未标注的条目（trec_eval -J）。")),
        ),
    ]
    return options + [
        click.Option(
            ["--" + name.replace("_", "-")],
            type=click.Choice(CHOICES[name]),
            default=CHOICES[name][0],
            help=with_default(text, CHOICES[name][0]),
        )
        for name, text in POLICY_HELP.items()
    ]


def evaluate(
    qrels: str, runs: tuple[str, ...], metrics: tuple[str, ...], k: int | None, columns: tuple[str, ...], **options: Any
) -> dict[str, Scores]:
    """Read, score, write; the scores of each run go back to the caller."""
    from pingce.ahead import begin

    _refuse_stdin_twice([qrels, *runs, options["exclude"], options["query_weight"]])
    begin(runs[0])
    from pingce.cli.output import Style, chosen_format, render, write
    from pingce.cli.progress import Progress
    from pingce.evaluate import DEFAULT_METRICS, evaluate_rows
    from pingce.evidence import Policies
    from pingce.inputs import read_excluded, read_run, read_truth, read_weights
    from pingce.metrics import parse_metrics

    style = Style(
        chosen_format(options["out_format"], options["output"]),
        terminal=options["output"] is None,
        **{name: options[name] for name in ("places", "per_query", "escape_formulas", "bom")},
    )
    policies = Policies.of(**{name: options[name] for name in (*POLICY_HELP, "relevant", "judged_only")})
    asked = parse_metrics(metrics or DEFAULT_METRICS, default_k=k)
    reading = {"columns": _columns(columns)} | {name: options[name] for name in ("input_format", "encoding", "threads")}
    names = _run_names(runs)
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(Text(f"reading {qrels}", f"正在读取 {qrels}"))
        truth = read_truth(qrels, **reading)
        more = {
            "exclude": read_excluded(options["exclude"], **reading) if options["exclude"] else None,
            "query_weight": read_weights(options["query_weight"], **reading) if options["query_weight"] else None,
        }
        scores = {}
        for name, run in zip(names, runs, strict=True):
            progress.at(Text(f"reading {run}", f"正在读取 {run}"))
            rows = read_run(run, **reading)
            progress.at(Text(f"scoring {run}", f"正在评测 {run}"))
            scores[name] = evaluate_rows(truth, rows, asked, policies, threads=options["threads"], **more)
    text = render(scores, style)
    if not options["quiet"]:
        from pingce.cli.notes import say

        say(scores, [str(warning.message) for warning in caught])
    write(text, options["output"])
    return scores


def _refuse_stdin_twice(files: list[str | None]) -> None:
    from pingce.errors import InputError

    if files.count("-") > 1:
        raise InputError(
            "- stands twice, but standard input can be read only once; write one of the two to a file",
            "- 出现了两次，而标准输入只能读取一次；请将其中之一写入文件",
        )


def _columns(given: tuple[str, ...]) -> dict[str, str] | None:
    from pingce.errors import InputError

    found: dict[str, str] = {}
    for piece in (piece for text in given for piece in text.split(",") if piece.strip()):
        role, separator, name = piece.partition("=")
        if not separator or not name:
            raise InputError(
                f"--columns {piece}: write ROLE=NAME, e.g. query=uid,item=iid",
                f"--columns {piece}：应写作 角色=列名，例如 query=uid,item=iid",
            )
        found[role.strip()] = name.strip()
    return found or None


_SUFFIXES = {
    ".gz",
    ".bz2",
    ".zst",
    ".feather",
    ".arrow",
    ".run",
    ".res",
    ".trec",
    ".txt",
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".pq",
}


def _run_names(runs: tuple[str, ...]) -> list[str]:
    """Short names of runs: file names without folder and known suffixes, made different where they are not."""
    names: list[str] = []
    for run in runs:
        path = Path(run)
        stem = path
        while stem.suffix.lower() in _SUFFIXES and stem.stem:
            stem = stem.with_suffix("")
        candidates = [stem.name, path.name, *(f"{path.name}#{number}" for number in range(2, len(runs) + 2))]
        names.append(next(name for name in candidates if name not in names))
    return names
