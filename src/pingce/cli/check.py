"""`pingce check`: a gate for continuous integration. Exit 0 all passed, 1 a check failed, 2 one could not be judged."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError, one_line
from pingce.base.text import Text
from pingce.cli.eval import eval_options, policy_options, said_options, scored
from pingce.cli.group import OUTPUT, Command, lang_option, with_default
from pingce.cli.prediction_options import PREDICTION_NAMES, prediction_options

if TYPE_CHECKING:
    from pingce.checks.result import CheckResult
    from pingce.checks.rules import Rule
    from pingce.scores import Scores
    from pingce.scores.saved import Document

FORMATS = ("table", "md", "json")
_OF_EVAL = (
    "convention",
    "k",
    "places",
    "input_format",
    "sep",
    "columns",
    "encoding",
    "exclude",
    "query_weight",
    "threads",
    "quiet",
)
_NOT_HERE = ("ci", "samples", "seed")
"Options of predictions that give intervals, which a gate does not look at."


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "check",
        params=[
            click.Argument(
                ["files"], metavar="QRELS RUN... | PREDICTIONS... | SCORES.json...", nargs=-1, required=True
            ),
            *_options(),
            *(option for option in eval_options() if option.name in _OF_EVAL),
            *(option for option in prediction_options() if option.name not in _NOT_HERE),
            *policy_options(),
            lang_option(),
        ],
        callback=check,
        help=str(
            Text(
                "Judge rankings, predictions or saved scores (pingce eval -f json) by rules, for continuous integration. Exit code: 0 all passed, 1 a check failed, 2 something could not be judged.",
                "按规则检查排序、预测或已保存的分数（pingce eval -f json），供持续集成使用。退出码：0 全部通过，1 有检查未通过，2 有检查无法判断。",
            )
        ),
        epilog="pingce check qrels.txt new.run --min ndcg@10=0.40 --baseline base.json --max-drop ndcg@10=0.5%",
    )


def _options() -> list[click.Parameter]:
    said: list[tuple[list[str], dict[str, Any], Text]] = [
        (["--min"], {"multiple": True, "metavar": "METRIC=VALUE"}, Text("The metric must reach this; may be repeated.", "指标须不小于该值，可重复给出。")),
        (["--max"], {"multiple": True, "metavar": "METRIC=VALUE"}, Text("The metric must not exceed this; may be repeated.", "指标须不大于该值，可重复给出。")),
        (["--baseline"], {"metavar": "SCORES.json"}, Text("Scores to compare with, saved with pingce eval -f json (for --significant with -q; of predictions with --ci 0.95).", "用于比较的分数，由 pingce eval -f json 保存（--significant 还需 -q；预测表则需 --ci 0.95）。")),
        (["--max-drop"], {"multiple": True, "metavar": "METRIC=VALUE[%]"}, Text("How much worse than the baseline the metric may be, in itself or in per cent of the baseline; of a loss, how much higher.", "指标相对基线最多变差多少：绝对值，或基线的百分比；对损失类指标即最多升高多少。")),
        (["--significant"], {"is_flag": True}, Text("A drop fails only if a test says that it is not chance, too: paired by query or group, else by the saved intervals.", "仅当检验也认为不是偶然时，下降才算未通过：按查询或组配对，否则按保存的区间。")),
        (["--alpha"], {"type": float}, Text("The p up to which a drop is significant.", "p 不大于该值即为显著。")),
        (["--samples"], {"type": int, "default": 100_000}, Text("Random permutations of the test.", "检验的随机置换次数。")),
        (["--seed"], {"type": int, "default": 0}, Text("Seed of the test.", "检验的随机种子。")),
        (["--checks"], {"metavar": "FILE.toml"}, Text("Rules in a file: [[check]] with metric and min, max or max_drop.", "写在文件中的规则：[[check]]，其下 metric 以及 min、max 或 max_drop。")),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default a table, or by -o's suffix. md suits the summary of a CI run.", "输出格式；默认为表格，或由 -o 的后缀决定。md 适合作 CI 摘要。")),
        OUTPUT,
    ]  # fmt: skip
    defaults = {"--alpha": 0.05, "--samples": 100_000, "--seed": 0}
    return [
        click.Option(
            names, help=with_default(text, defaults[names[0]]) if names[0] in defaults else str(text), **settings
        )
        for names, settings, text in said
    ]


def check(files: tuple[str, ...], **options: Any) -> None:
    """Read, judge, write, and leave with the verdict."""
    from pingce.checks.call import check_documents, checked_alpha
    from pingce.checks.judge import Trial
    from pingce.cli.output import chosen_format

    rules, baseline, alpha = _rules(options)
    trial = Trial(checked_alpha(0.05 if alpha is None else alpha), options["samples"], options["seed"])
    if rules and all(rule.kind != "max_drop" for rule in rules) and options["baseline"] is not None:
        raise InputError(
            "--baseline is given, but no --max-drop: say how much worse a metric may be",
            "给出了 --baseline，但没有 --max-drop：请说明指标最多可变差多少",
        )
    out_format = chosen_format(options["out_format"], options["output"], FORMATS)
    result = check_documents(_candidates(files, rules, options), rules, baseline, trial)
    _write(result, out_format, options)
    click.get_current_context().exit(result.exit_code)


def _rules(options: Mapping[str, Any]) -> tuple[list[Rule], Any, float | None]:
    """The rules of the options and of the file, the baseline and the level."""
    from pingce.checks.rules import KINDS, read_rules, rules_from_words

    sure = options["significant"]
    rules = [one for kind in KINDS for one in rules_from_words(kind, options[kind], significant=sure)]
    baseline, alpha = options["baseline"], options["alpha"]
    if options["checks"]:
        file = read_rules(options["checks"], significant=sure)
        rules += file.rules
        baseline = baseline or file.baseline
        alpha = file.alpha if alpha is None else alpha
    if not rules:
        raise InputError(
            "there is nothing to check; give --min, --max, --max-drop or --checks",
            "没有检查项；请给出 --min、--max、--max-drop 或 --checks",
        )
    return rules, baseline, alpha


def _candidates(files: Sequence[str], rules: Sequence[Rule], options: dict[str, Any]) -> Sequence[Document]:
    """What is judged: saved documents as they are; anything else is evaluated now, by the metrics of the rules."""
    from pingce.checks.call import documents_of
    from pingce.checks.rules import refuse_unknown_metrics
    from pingce.scores.saved import is_document, read_documents
    from pingce.tasks import TASKS

    _refuse_absent(files)
    if all(is_document(file) for file in files):
        found = [one for file in files for one in read_documents(file)]
        refuse_unknown_metrics(rules, dict.fromkeys(one.task for one in found))
        return found
    said = said_options(click.get_current_context())
    ranking = options["task"] == "ranking" or (len(files) > 1 and not said & set(PREDICTION_NAMES))
    tasks = ("ranking",) if ranking else tuple(task for task in TASKS if task != "ranking")
    if len(files) == 1 and not options["task"] and not said & set(PREDICTION_NAMES):
        _refuse_lone(files[0], rules)
    refuse_unknown_metrics(rules, (options["task"],) if options["task"] else tasks)
    return documents_of(_scores(files, rules, options, said), rules)


def _refuse_absent(files: Sequence[str]) -> None:
    """Before any metric is blamed."""
    for file in files:
        if file != "-" and not Path(file).exists():
            from pingce.inputs.content import cannot_read

            raise cannot_read(Path(file), FileNotFoundError())


def _refuse_lone(file: str, rules: Sequence[Rule]) -> None:
    """One file cannot be a ranking and its truth: if the rules are of rankings, it was meant to be saved scores, or half."""
    from pingce.checks.rules import refuse_unknown_metrics
    from pingce.scores.saved import read_documents

    try:
        refuse_unknown_metrics(rules, ("ranking",))
    except InputError:
        return
    if Path(file).suffix.lower() == ".json":
        read_documents(file)
    raise InputError(
        f"{file}: one file is no ranking with its truth; give QRELS RUN, or scores saved with pingce eval -f json",
        f"{file}：只有一个文件，缺少真值或预测；请给出 QRELS RUN，或 pingce eval -f json 保存的分数",
    )


def _scores(
    files: Sequence[str], rules: Sequence[Rule], options: Mapping[str, Any], said: set[str]
) -> Mapping[str, Scores]:
    """What `pingce eval` would compute, without its output."""
    defaults = {option.name: _unset(option) for option in _evaluating()}
    taken = {name: options[name] for name in options if name in defaults}
    asked = tuple(dict.fromkeys(rule.metric for rule in rules))
    silent = {"metrics": asked, "out_format": None, "output": None, "ci": None, "samples": None, "seed": None}

    def score(job: Any, options: Mapping[str, Any], style: Any, caught: Sequence[Any], *notes: Text) -> Any:
        found = job.scores()
        if not options["quiet"]:
            from pingce.cli.notes import say

            say(found, [str(warning.message) for warning in caught], [str(note) for note in notes])
        return found

    own = {option.name for option in _options()}
    return scored(tuple(files), {**defaults, **taken, **silent}, said - own, score)


def _evaluating() -> list[click.Option]:
    every = [*eval_options(), *prediction_options(), *policy_options()]
    return [option for option in every if isinstance(option, click.Option)]


def _unset(option: click.Option) -> Any:
    """The value of an option that does not stand on the command line."""
    if option.multiple or option.is_flag:
        return () if option.multiple else False
    return option.default if isinstance(option.default, (str, int, float)) else None


def _write(result: CheckResult, out_format: str, options: Mapping[str, Any]) -> None:
    from pingce.base.terminal import draw
    from pingce.cli.output import write

    if out_format == "table":
        fancy = options["output"] is None and sys.stdout.isatty()
        text = draw(result.table(), options["places"], fancy=fancy)
    else:
        text = result.to_markdown(places=options["places"]) if out_format == "md" else result.to_json()
    lines = [] if options["quiet"] else [*result.reasons, result.summary]
    if options["quiet"]:
        lines = [row.reason for row in result.rows if row.passed is None and row.reason]
    for line in lines:
        sys.stderr.write(one_line(str(line)) + "\n")
    write(text, options["output"])
