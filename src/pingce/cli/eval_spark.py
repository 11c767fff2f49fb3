"""`pingce eval --engine spark`: the same job, with rows read and counted by a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.eval import POLICY_HELP
from pingce.cli.eval_ranking import columns_given
from pingce.cli.jobs import Job, definitions
from pingce.cli.predictions import found as found_column
from pingce.cli.predictions import prediction_column
from pingce.cli.present import present_job, style_of
from pingce.inputs.names import listed, map_columns, table_name
from pingce.inputs.predictions import LABEL, PREDICTED, SCORE
from pingce.inputs.titles import short_names
from pingce.spark.files import Read, read, session
from pingce.spark.frames import column, is_text, numeric_columns, types
from pingce.spark.problems import spoken

if TYPE_CHECKING:
    from pingce.inputs.columns import Role
    from pingce.scores import Scores

_ELSEWHERE = ("by", "ci", "exclude", "query_weight", "memory", "tmpdir", "encoding", "worst", "id_column", "unmatched")
"What Spark does not do here."


@spoken()
def score_on_spark(
    files: tuple[str, ...],
    options: dict[str, Any],
    said: set[str],
    *,
    predictions: bool,
    present: Callable[..., Mapping[str, Scores]] | None = None,
) -> Mapping[str, Scores]:
    """Read, score, write."""
    _refuse(options, said)
    style = style_of(options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        spark = session(options["master"])
        job = _predictions(spark, files, options) if predictions else _rankings(spark, files, options)
        caught.clear()  # what Spark has to say of its own parts
        note = Text(f"engine: Spark {spark.version}", f"引擎：Spark {spark.version}")
        return (present or present_job)(job, options, style, caught, note)


def _refuse(options: Mapping[str, Any], said: set[str]) -> None:
    if options["engine"] != "spark":
        raise InputError("--master goes with --engine spark", "--master 需与 --engine spark 一起使用")
    odd = sorted(said & set(_ELSEWHERE))
    if odd:
        option = "--" + odd[0].removesuffix("_column").replace("_", "-")
        raise InputError(
            f"{option} is not there with --engine spark; leave it out, or work with --engine local",
            f"--engine spark 不支持 {option}；请去掉，或使用 --engine local",
        )


def _rankings(spark: Any, files: Sequence[str], options: Mapping[str, Any]) -> Job:
    from pingce.evaluate.ranking import DEFAULT_METRICS
    from pingce.evidence import Policies
    from pingce.spark.ranking import score_ranking

    if len(files) < 2:
        raise InputError("give QRELS and RUN...", "请给出 QRELS 与 RUN...")
    define = definitions(Policies, options, (*POLICY_HELP, "relevant", "judged_only"))
    given, k = options["metrics"], options["k"]
    asked = define.asked(given, default_k=k) if given else define.defaults(DEFAULT_METRICS, default_k=k)
    columns = columns_given(options["columns"])
    qrels, *runs = (read(spark, file, options["input_format"], texts=None) for file in files)

    def scoring(run: Read) -> Any:
        truth, rows = _alike(qrels, run, columns)
        return lambda metrics, policies: score_ranking(truth, rows, metrics, policies, columns=columns)

    names = short_names(files[1:])
    return Job(define, asked, {name: scoring(run) for name, run in zip(names, runs, strict=True)})


def _alike(truth: Read, run: Read, columns: Mapping[str, str | int] | None) -> tuple[Any, Any]:
    """Both frames with numbers as numbers; ids of text files as integers where the other side's are integers."""
    sides: tuple[tuple[Read, Role], ...] = ((truth, "truth"), (run, "run"))
    found = [
        map_columns(one.frame.columns, role, columns, table_name(role, "file"), numeric=numeric_columns(one.frame))
        for one, role in sides
    ]
    made = []
    for place, (one, _) in enumerate(sides):
        mine, theirs, other = found[place], found[1 - place], sides[1 - place][0]
        casts = {}
        if one.untyped:
            casts = {} if mine.value is None else {mine.value: "double"}
            for name, like in ((mine.query, theirs.query), (mine.item, theirs.item)):
                if not is_text(types(other.frame)[like]):
                    casts[name] = types(other.frame)[like]
        cast = {name: column(name).cast(kind) for name, kind in casts.items()}
        made.append(one.frame.withColumns(cast) if cast else one.frame)
    return made[0], made[1]


def _predictions(spark: Any, files: Sequence[str], options: Mapping[str, Any]) -> Job:
    texts = [name for name in (options["group"],) if name is not None]
    frames = [read(spark, file, options["input_format"], texts=texts).frame for file in files]
    task = options["task"] or _task(frames[0], options)
    names = {"binary": "score", "multiclass": "pred_column", "regression": "pred_column"}
    models = tuple(options[names[task]]) or (_usual(frames[0], task, options),)
    titles = {}
    for title, frame in zip(short_names(files), frames, strict=True):
        for model in models:
            single = len(models) == 1 and len(files) > 1
            titles[title if single else model if len(files) == 1 else f"{title}:{model}"] = (frame, model)
    return {"binary": _binary, "multiclass": _classes, "regression": _numbers}[task](titles, options)


def _usual(frame: Any, task: str, options: Mapping[str, Any]) -> str:
    """The column of predictions that nobody named."""
    if task == "binary":
        return found_column(SCORE, frame.columns, Text("--score", "--score"))
    truth = options["true_column"] or found_column(("true", *LABEL), frame.columns, Text("--true", "--true"))
    return prediction_column([name for name in frame.columns if name != truth], "--pred")


def _task(frame: Any, options: Mapping[str, Any]) -> str:
    """By the options, else by the names of the columns; of true and predicted ones, by their types."""
    if options["label"] or options["score"] or options["group"]:
        return "binary"
    present = [name.lower() for name in frame.columns]
    if not (options["true_column"] or options["pred_column"]):
        if any(name in present for name in LABEL[:-1]) and any(name in present for name in SCORE):
            return "binary"
        if not any(name in present for name in PREDICTED):
            raise InputError(
                f"say which column holds the scores with --score, or the predicted classes or numbers with --pred; there are {listed(frame.columns)}",
                f"请用 --score 指明分数列，或用 --pred 指明预测类别或数值的列；现有 {listed(frame.columns)}",
            )
    predicted = options["pred_column"] or (_usual(frame, "multiclass", options),)
    kinds = [types(frame)[name] for name in predicted if name in frame.columns]
    return "regression" if any(kind in ("float", "double") or kind.startswith("decimal") for kind in kinds) else "multiclass"  # fmt: skip


def _binary(titles: Mapping[str, tuple[Any, str]], options: Mapping[str, Any]) -> Job:
    from pingce.evidence.policies import BinaryPolicies
    from pingce.spark.binary import score_binary

    define = definitions(BinaryPolicies, options, ("threshold", "compare", "undefined"))
    asked = define.asked(options["metrics"]) if options["metrics"] else []

    def scoring(frame: Any, score: str) -> Any:
        label = options["label"] or found_column(LABEL, frame.columns, Text("--label", "--label"))
        columns = {"label": label, "score": score, "group": options["group"], "weight": options["weight"]}
        more = {"positive": _typed(options["positive"], types(frame).get(label, "string")), "bins": options.get("bins")}
        return lambda metrics, policies: score_binary(
            frame, metrics or None, policies, columns=columns, define=define, **more
        )

    return Job(define, asked, {title: scoring(*model) for title, model in titles.items()})


def _typed(label: str | None, kind: str) -> Any:
    """A label written on the command line, as the column has it."""
    if label is None or is_text(kind):
        return label
    if kind == "boolean" and label.lower() in ("true", "false"):
        return label.lower() == "true"
    try:
        number = float(label)
    except ValueError:
        return label
    return int(number) if number.is_integer() else number


def _classes(titles: Mapping[str, tuple[Any, str]], options: Mapping[str, Any]) -> Job:
    from pingce.evaluate.multiclass import DEFAULT_METRICS
    from pingce.evidence.policies import MulticlassPolicies
    from pingce.spark.multiclass import score_multiclass

    define = definitions(MulticlassPolicies, options, ("undefined",))
    asked = define.asked(options["metrics"]) if options["metrics"] else define.defaults(DEFAULT_METRICS)

    def scoring(frame: Any, predicted: str) -> Any:
        columns = {"label": options["true_column"], "prediction": predicted, "weight": options["weight"]}
        return lambda metrics, policies: score_multiclass(frame, metrics, policies, **columns)

    return Job(define, asked, {title: scoring(*model) for title, model in titles.items()})


def _numbers(titles: Mapping[str, tuple[Any, str]], options: Mapping[str, Any]) -> Job:
    from pingce.evaluate.regression import DEFAULT_METRICS
    from pingce.evidence.policies import RegressionPolicies
    from pingce.spark.regression import score_regression

    define = definitions(RegressionPolicies, options, ("undefined",))
    asked = define.asked(options["metrics"]) if options["metrics"] else define.defaults(DEFAULT_METRICS)

    def scoring(frame: Any, predicted: str) -> Any:
        columns = {"label": options["true_column"], "prediction": predicted, "weight": options["weight"]}
        return lambda metrics, policies: score_regression(frame, metrics, policies, **columns)

    return Job(define, asked, {title: scoring(*model) for title, model in titles.items()})
