"""`pingce eval`: the main job. Rankings: QRELS RUN…; predictions: one or more tables with labels and scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from pingce.base.text import Text
from pingce.cli.group import Command, files_argument
from pingce.cli.options import are_rows, parameters, refuse_out_of_place

if TYPE_CHECKING:
    from pingce.scores import Scores


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "eval",
        Text(
            "Score rankings (QRELS RUN..., the truth first) or predictions (tables with columns for labels and scores, classes, or numbers). Files: TREC, CSV, TSV, JSONL, JSON, Parquet, Feather; .gz, .bz2, .zst too; a folder or a quoted pattern of them; - is standard input.",
            "给排序结果打分（QRELS RUN...，真值在前），或给预测打分（含标签与分数、类别或数值列的表）。文件格式：TREC、CSV、TSV、JSONL、JSON、Parquet、Feather，可为 .gz、.bz2、.zst，也可以是文件夹或加引号的模式；- 表示标准输入。",
        ),
        [files_argument("QRELS RUN... | PREDICTIONS..."), *parameters("eval")],
        evaluate,
        (
            "pingce eval qrels.txt bm25.run dense.run -m 'ndcg@10,ap(norm=min)@100' -f md",
            "pingce eval preds.parquet --label click --score pctr --group user_id",
            "pingce eval preds.csv --true y --pred y_hat",
        ),
    )


def evaluate(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, write; the scores of each run or model go back to the caller."""
    return score_files(files, options)


def score_files(
    files: tuple[str, ...],
    options: dict[str, Any],
    command: str = "eval",
    present: Callable[..., Mapping[str, Scores]] | None = None,
) -> Mapping[str, Scores]:
    """Runs or predictions, by what the command line says; `present` may do something else with what was read."""
    options |= {"files": files}
    rows = are_rows(options, command, alone=len(files) == 1)
    refuse_out_of_place(options, command, rows=rows)
    if options["engine"] == "spark" or options["master"]:
        from pingce.cli.spark_jobs import score_on_spark

        return score_on_spark(files, options, rows=rows, present=present)
    if rows:
        from pingce.cli.prediction_jobs import score_predictions

        return score_predictions(files, options, present)
    if len(files) == 1:
        raise click.MissingParameter(param_type="argument", param_hint="RUN...")
    from pingce.cli.rankings import score_runs

    return score_runs(files, options, present)
