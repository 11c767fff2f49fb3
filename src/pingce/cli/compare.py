"""`pingce compare`: several runs or models on the same data, and which differences are real."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pingce.base.text import Text
from pingce.cli.group import Command, files_argument
from pingce.cli.options import are_rows, complete, parameters, refuse_out_of_place

if TYPE_CHECKING:
    from pingce.comparison.settings import ComparisonSettings
    from pingce.scores import Scores


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "compare",
        Text(
            "Compare runs (QRELS RUN RUN..., matched by query id) or models (one table with a --score or --pred column each, or a file each, whose rows --id matches): differences to the baseline, intervals, corrected p, and letters for significantly better than. JSON files that pingce eval -q -f json wrote stand for runs; of them alone no QRELS is needed.",
            "比较多份排序结果（QRELS RUN RUN...，按查询编号对齐）或多个模型（一张表，每个模型一列 --score 或 --pred；或每个模型一个文件，用 --id 对齐各行）：与基线之差、区间、校正后的 p，以及表示“显著优于”的字母。pingce eval -q -f json 写出的 JSON 可代替预测；若全是 JSON，则不需要 QRELS。",
        ),
        [files_argument("QRELS RUN RUN... | PREDICTIONS..."), *parameters("compare")],
        compare,
        (
            "pingce compare qrels.txt bm25.run dense.run --baseline bm25 -m ndcg@10,mrr",
            "pingce compare preds.parquet --label click --score old --score new --group user_id",
            "pingce compare new=a/preds.parquet old=b/preds.parquet --label click --score pctr --id row_id",
        ),
    )


def settings_of(options: Mapping[str, Any]) -> ComparisonSettings:
    """How models are compared; what makes no sense is refused before anything is read."""
    from pingce.comparison.settings import ComparisonSettings

    values = {name: options[name] for name in ("test", "correction", "ci", "samples", "seed")}
    written = {"confidence" if name == "ci" else name: value for name, value in values.items() if value is not None}
    return ComparisonSettings(**written)


def compare(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, compare, write; the scores of each run or model go back to the caller."""
    from pingce.cli.compare_output import Comparing

    settings = settings_of(options)
    # Intervals are those of differences.
    job = Comparing(settings, complete(options) | {"files": files, "ci": None, "samples": None, "seed": None})
    rows = are_rows(options, "compare", alone=len(files) == 1 and not job.saved(files))
    refuse_out_of_place(options, "compare", rows=rows)
    if not rows:
        return job.runs(files)
    from pingce.cli.prediction_jobs import score_predictions

    return score_predictions(files, job.options | {"paired": True}, job.models)
