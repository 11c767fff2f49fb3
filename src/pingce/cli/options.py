"""The options of the commands: the only list of them. Each has its words and type, and its place in a Request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import click

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.cli.group import GroupOption, complete_value
from pingce.evidence.policies import ORDERS
from pingce.inputs.tables import input_format_help
from pingce.sql.dialects import DIALECTS
from pingce.sql.names import Names
from pingce.tasks import TASKS
from pingce.tasks.binary import BINARY


def with_default(text: Text, default: object) -> Text:
    """A help text that ends with the default."""
    return Text(f"{text.en}  [default: {default}]", f"{text.zh}  [默认：{default}]")


@dataclass(frozen=True)
class Option:
    """One option, as some commands have it; others may have one of the same name with another meaning."""

    flags: str
    "As they are written; last the name of the value, where it is another."
    help: Text
    group: str
    commands: tuple[str, ...]
    tasks: tuple[str, ...] = tuple(TASKS)
    "Those to which it means something."
    place: str = ""
    "Where its value stands in a Request, e.g. `reading.encoding`; nowhere if it says what becomes of scores."
    type: Any = None
    metavar: str | None = None
    default: Any = None
    usual: Any = None
    "What the help calls the default, where the value is None for one that was not written."
    multiple: bool = False
    is_flag: bool = False

    @property
    def name(self) -> str:
        """What its value is called."""
        words = self.flags.split()
        return words[-1] if not words[-1].startswith("-") else self.flag.lstrip("-").replace("-", "_")

    @property
    def flag(self) -> str:
        """How sentences call it: by its first long name."""
        words = self.flags.split()
        return next((word for word in words if word.startswith("--")), words[0])

    @property
    def unset(self) -> Any:
        """The value of one that does not stand on the command line."""
        return () if self.multiple else False if self.is_flag else self.default

    def parameter(self) -> click.Option:
        """The option for click, in the language in force."""
        default = self.default if self.usual is None else self.usual
        text = self.help if default is None else with_default(self.help, default)
        kinds: dict[str, Any] = {"is_flag": True} if self.is_flag else {"type": self.type, "multiple": self.multiple}
        if self.default is not None:
            kinds["default"] = self.default
        option = GroupOption(
            self.flags.split(), help=str(text), metavar=self.metavar, shell_complete=complete_value, **kinds
        )
        option.group = self.group
        return option


FORMATS: Final = {
    "eval": ("table", "json", "jsonl", "csv", "tsv", "md", "latex", "trec"),
    "compare": ("table", "json", "csv", "tsv", "md", "latex"),
    "curve": ("table", "csv", "tsv", "json", "md", "png", "svg"),
    "check": ("table", "md", "json"),
    "explain": ("text", "md", "html", "latex", "json"),
    "similar": ("table", "json", "csv", "tsv", "md"),
    "fuse": ("trec", "parquet", "csv", "tsv"),
    "split": ("parquet", "csv"),
    "leak": ("table", "json", "csv", "tsv", "md"),
}
"What each command writes; the first where nothing says otherwise."
TESTS = ("permutation", "t", "wilcoxon", "sign")
CORRECTIONS = ("holm", "bonferroni", "bh", "none")
CURVES: Final = {kind: task for task in TASKS.values() for kind in task.curves}
"The task of each kind of curve."
LISTS: Final = tuple(name for name, task in TASKS.items() if not task.of_rows)
ROWS: Final = tuple(name for name, task in TASKS.items() if task.of_rows)
_LABELS = tuple(name for name in ROWS if TASKS[name].column_options == BINARY.column_options)
_VALUES = tuple(name for name in ROWS if name not in _LABELS)
_GROUPED = tuple(name for name in ROWS if TASKS[name].takes("group"))
_TWO_LABELS = tuple(name for name in ROWS if TASKS[name].takes("positive"))
_BINNED = tuple(name for name in ROWS if "bins" in TASKS[name].signed_data)
_SCORE = ("eval", "compare", "report")
_GATE = (*_SCORE, "check")
_EXPLAIN = (*_GATE, "explain")
_READ = (*_EXPLAIN, "curve")
_COMPARE = ("compare", "report")
_LISTED = ("similar", "fuse")
"Commands that take runs alone."
_LOGS = ("split", "leak")
"Commands that take logs of interactions."
_DRAWN = tuple(dict.fromkeys(task.name for task in CURVES.values()))
"Tasks that have curves."
_NAMES: Final = {
    "table": Text("The table of predictions; a dot separates a schema.", "预测表；库名与表名用点分隔。"),
    "label": Text("Its column of labels, 0 or 1.", "预测表中的标签列，取 0 或 1。"),
    "score": Text("The column of scores, of predictions or of the run.", "分数列，预测表或排序结果的。"),
    "group": Text("The column of groups, for gauc.", "分组列，用于 gauc。"),
    "true": Text("The column of true numbers.", "真实数值列。"),
    "pred": Text("The column of predicted numbers.", "预测数值列。"),
    "qrels": Text("The table of judgements.", "标注表。"),
    "run": Text("The table of the run.", "排序结果表。"),
    "query": Text("The column of queries, in both.", "查询列，两张表相同。"),
    "item": Text("The column of items, in both.", "条目列，两张表相同。"),
    "grade": Text("The column of grades.", "等级列。"),
}
"Of tables and columns of a database."
_FILE = click.Path(dir_okay=False, path_type=Path)
_PLACES = click.IntRange(min=-1, max=30)
_FORMAT = Text("Format; by default a table, or by -o's suffix.", "输出格式；默认为表格，或由 -o 的后缀决定。")
THINNED = 25
"Points of a curve in a table that is read and not computed with."


_OF_GRADES = ("judged",)
"Policies whose name in `explain` is that of an option with grades, which takes their words too."
_POLICIES: Final = {name: task.load("policies") for name, task in TASKS.items()}


def _policies(group: str) -> list[Option]:
    """The options of policies in a group: those with a letter first, then each task's after the one before it there."""
    names: list[str] = []
    for policies in _POLICIES.values():
        at = 0
        for name in policies.declarations():
            if name not in names:
                names.insert(at, name)
            at = names.index(name) + 1
    options = [_policy(name, commands=_GATE if name in _OF_GRADES else _EXPLAIN) for name in names]
    options = [option for option in options if option.group == group]
    return sorted(options, key=lambda option: option.flags.startswith("--"))


def _policy(
    name: str, text: Text | None = None, commands: tuple[str, ...] = _EXPLAIN, choices: tuple[str, ...] = ()
) -> Option:
    """The option of a policy, as the first task that has it declares it."""
    tasks = tuple(task for task, policies in _POLICIES.items() if name in policies.declarations())
    policies = _POLICIES[tasks[0]]
    declared, default = policies.declarations()[name], getattr(policies, name)
    choices = choices or policies.choices.get(name, ())
    is_flag = choices == ("no", "yes")
    letter = f"-{declared.letter} " if declared.letter else ""
    return Option(
        f"{letter}--{name.replace('_', '-')}",
        text or declared.help,
        declared.group,
        commands,
        tasks,
        f"policies.{name}",
        click.Choice(choices) if choices else float if isinstance(default, float) else None,
        usual=None if is_flag or name in policies.follows else default,
        is_flag=is_flag,
    )


def _declared(commands: tuple[str, ...], metavar: str, tasks: Collection[str] = TASKS) -> list[Option]:
    """The options of columns that tasks declare, each once, with the words of every task that has it."""
    flags = {role.name: role.flag for name in tasks for role in TASKS[name].columns}
    options = []
    for role, flag in flags.items():
        helps = {name: each.help for name in tasks for each in TASKS[name].columns if each.name == role}
        options.append(Option(flag, _joined(helps), "predictions", commands, tuple(helps), metavar=metavar))
    return options


def _joined(helps: Mapping[str, Text]) -> Text:
    """The words of the only task, or of each by its name."""
    if len(helps) == 1:
        return next(iter(helps.values()))
    english = " ".join(f"{name}: {each.en}" for name, each in helps.items())
    return Text(english, "".join(f"{name}：{each.zh}" for name, each in helps.items()))


OPTIONS: Final = (
    Option("-m --metrics", Text("Metrics, by comma or repeated.", "指标，可用逗号分隔或重复给出。"), "metrics", _SCORE, place="metrics", multiple=True),
    Option("--task", Text("Only metrics of this task.", "只看该任务的指标。"), "", ("metrics",), type=click.Choice(tuple(TASKS))),
    Option("--task", Text("The task, where several have the metric.", "任务；多个任务都有该指标时指明。"), "metrics", ("sql",), type=click.Choice(tuple(TASKS))),
    Option("--dialect", Text("The database.", "数据库。"), "metrics", ("sql",), type=click.Choice(tuple(DIALECTS)), default="duckdb"),
    *(Option(f"--{name}", text, "input", ("sql",), metavar="TABLE" if name in ("table", "qrels", "run") else "COLUMN", default=getattr(Names(), name)) for name, text in _NAMES.items()),
    Option("-o --output", Text("Write the query to a file.", "把查询写入文件。"), "output", ("sql",), type=_FILE),
    Option("-k", Text("Cut-off for names without @k.", "未写 @k 的指标的截断位置。"), "metrics", _GATE, LISTS, "default_k", click.IntRange(min=1)),
    Option("--ci", Text("Confidence intervals, e.g. 0.95.", "置信区间，例如 0.95。"), "metrics", ("eval", "check"), place="intervals.ci", type=float, metavar="SHARE"),
    Option("--by", Text("The same for parts of the data: a column of the predictions, for rankings a column of a table with a query column, or deciles: activity, for rankings also popularity. A column of times by its width: time:1d, time:1h, time:1w@Asia/Shanghai. Repeat for several.", "同时给出各部分数据的结果：预测表的一列；排序则为含查询列的表中的一列；或按十分位：activity，排序还可用 popularity。时间列可加时段：time:1d、time:1h、time:1w@Asia/Shanghai。可重复给出。"), "metrics", _SCORE, metavar="COLUMN[:1d] | FILE:COLUMN | activity", multiple=True),
    Option("--pair", Text("Several tasks of one table: LABEL:SCORE, a product LABEL:SCORE*SCORE, @COLUMN=VALUE for some of the rows; e.g. click:pctr, buy:pcvr@click=1, buy:pctr*pcvr. Repeat; each is a column of the result.", "一张表的多个任务：LABEL:SCORE，乘积写作 LABEL:SCORE*SCORE，只取部分行时加 @COLUMN=VALUE；例如 click:pctr、buy:pcvr@click=1、buy:pctr*pcvr。可重复给出，结果中各占一列。"), "metrics", _GATE, _LABELS, metavar="LABEL:SCORE[*SCORE][@COLUMN=VALUE]", multiple=True),
    Option("--field", Text("Calibration within the values of this column (field_rce, field_ece), beside the other metrics, with a table of the worst. Repeat for several; all are counted in one pass.", "在该列的各个取值之内看校准（field_rce、field_ece），与其他指标一并给出，并列出最差的字段。可重复给出，一遍完成。"), "metrics", _SCORE, _LABELS, metavar="COLUMN", multiple=True),
    Option("--cost", Text("What a false positive and a false negative cost, e.g. fp=1,fn=20: the cost at the threshold, the least of all thresholds, and where.", "误报与漏报的代价，例如 fp=1,fn=20：给出当前阈值的代价、所有阈值中的最低代价及其阈值。"), "metrics", _SCORE, _LABELS, metavar="fp=X,fn=Y"),
    Option("--convention", Text("Score as this tool does, e.g. trec_eval, ranx, sklearn (pingce conventions lists them).", "按该工具的定义打分，例如 trec_eval、ranx、sklearn（pingce conventions 可列出全部）。"), "metrics", _GATE, place="convention", metavar="TOOL"),
    Option("--by", Text("What the groups of a gap are by; of rankings FILE:COLUMN or activity.", "差距按什么分组；排序写 FILE:COLUMN 或 activity。"), "metrics", ("explain",), metavar="COLUMN | FILE:COLUMN", multiple=True),
    Option("--convention", Text("As this tool calculates.", "按该工具的算法。"), "metrics", ("explain",), place="convention", metavar="TOOL"),
    Option("--against", Text("Also as this tool calculates, with the first line that differs marked.", "同时给出该工具的算法，并标出第一处不同。"), "metrics", ("explain",), metavar="TOOL"),
    Option("--conventions", Text("The same under several tools' definitions, with the cause of each difference.", "按多个工具的定义分别打分，并指出每处差异的原因。"), "metrics", ("eval",), metavar="TOOL,TOOL..."),
    Option("--samples", Text("Bootstrap samples; by default 10000 of queries, 1000 of rows.", "自助抽样次数；默认按查询 10000 次，按行 1000 次。"), "metrics", ("eval",), place="intervals.samples", type=int),
    Option("--seed", Text("Seed of the bootstrap.", "自助抽样的随机种子。"), "metrics", ("eval",), place="intervals.seed", type=int, usual=0),
    Option("--min-n", Text("Slices smaller than this have no interval.", "小于此数的切片不给出区间。"), "metrics", _SCORE, place="min_n", type=click.IntRange(min=0), default=20),

    Option("--min", Text("The metric must reach this; may be repeated.", "指标须不小于该值，可重复给出。"), "rules", ("check",), metavar="METRIC=VALUE", multiple=True),
    Option("--max", Text("The metric must not exceed this; may be repeated.", "指标须不大于该值，可重复给出。"), "rules", ("check",), metavar="METRIC=VALUE", multiple=True),
    Option("--baseline", Text("Scores to compare with, saved with pingce eval -f json (for tests with -q; of predictions with --ci 0.95).", "用于比较的分数，由 pingce eval -f json 保存（需要检验时还需 -q；预测表则需 --ci 0.95）。"), "rules", ("check",), metavar="SCORES.json"),
    Option("--max-drop", Text("How much worse than the baseline the metric may be, in itself or in per cent of the baseline; of a loss, how much higher.", "指标相对基线最多变差多少：绝对值，或基线的百分比；对损失类指标即最多升高多少。"), "rules", ("check",), metavar="METRIC=VALUE[%]", multiple=True),
    Option("--non-inferior", Text("The metric must be proved to be no worse than the baseline by more than this margin, with confidence 1 - alpha.", "须能证明指标比基线变差不超过该界值（非劣效），置信水平为 1 - alpha。"), "rules", ("check",), metavar="METRIC=MARGIN[%]", multiple=True),
    Option("--equivalent", Text("The same either way: neither better nor worse by more (two one-sided tests).", "同上，但变好与变差都不得超过该界值（等效，两次单侧检验）。"), "rules", ("check",), metavar="METRIC=MARGIN[%]", multiple=True),
    Option("--checks", Text("Rules in a file: [[check]] with metric and min, max, max_drop, non_inferior or equivalent.", "写在文件中的规则：[[check]]，其下 metric 以及 min、max、max_drop、non_inferior 或 equivalent。"), "rules", ("check",), metavar="FILE.toml"),
    Option("--no-baseline", Text("Where no baseline is given, do not judge the rules that need one, instead of ending: for a first run.", "未给出基线时，需要基线的规则记为无法判断，而不是报错：用于首次运行。"), "rules", ("check",), is_flag=True),
    Option("--changes", Text("Also list every metric that the baseline has too, with its change, and the queries that lost most; files are scored by the metrics of the rules, saved scores have all of theirs.", "同时列出与基线共有的每个指标及其变化，以及损失最大的查询；直接给文件时只有规则中的指标，给出保存的分数时则为其全部指标。"), "rules", ("check",), is_flag=True),
    Option("--significant", Text("A drop fails only if a test says that it is not chance, too: paired by query or group, else by the saved intervals.", "仅当检验也认为不是偶然时，下降才算未通过：按查询或组配对，否则按保存的区间。"), "rules", ("check",), is_flag=True),
    Option("--alpha", Text("The p up to which a drop is significant, or a margin held.", "p 不大于该值即为显著，或界值成立。"), "rules", ("check",), type=float, usual=0.05),
    Option("--samples", Text("Random permutations of the test.", "检验的随机置换次数。"), "rules", ("check",), type=int, default=100_000),
    Option("--seed", Text("Seed of the test.", "检验的随机种子。"), "rules", ("check",), type=int, default=0),

    Option("--baseline", Text("What the others are compared with; by default the first.", "作为比较对象的模型；默认为第一个。"), "comparison", _COMPARE, metavar="NAME"),
    Option("--test", Text("The paired test over queries; of rows each metric has its own.", "对查询的配对检验；按行的指标各有其检验。"), "comparison", ("compare",), LISTS, type=click.Choice(TESTS), usual="permutation"),
    Option("--test", Text("The paired test over queries.", "对查询的配对检验。"), "comparison", ("report",), type=click.Choice(TESTS), usual="permutation"),
    Option("--correction", Text("For the number of comparisons.", "按比较次数校正。"), "comparison", _COMPARE, type=click.Choice(CORRECTIONS), default="holm"),
    Option("--ci", Text("Confidence of intervals; what is left is the level of significance.", "区间的置信水平；其余部分即显著性水平。"), "comparison", ("compare",), type=float, metavar="SHARE", usual=0.95),
    Option("--ci", Text("Confidence of intervals; of predictions, said here it also gives intervals of slices, which take longer.", "区间的置信水平；对预测表，写明此项则各切片也给出区间，耗时较长。"), "comparison", ("report",), type=float, metavar="SHARE", usual=0.95),
    Option("--samples", Text("Random draws of each kind; by default 100000 permutations, 10000 bootstrap draws of queries, 1000 of rows.", "每种随机抽取的次数；默认置换 100000 次，按查询自助抽样 10000 次，按行自助抽样 1000 次。"), "comparison", ("compare",), type=int),
    Option("--samples", Text("Random draws.", "随机抽取的次数。"), "comparison", ("report",), type=int),
    Option("--seed", Text("The same seed gives the same bits.", "相同的种子得到完全相同的结果。"), "comparison", _COMPARE, type=int, default=0),
    Option("--pairwise", Text("Also each model against each.", "同时给出两两比较。"), "comparison", ("compare",), is_flag=True),

    Option("--threshold", Text("A threshold to mark; may be repeated. For confusion, the only ones shown.", "要标出的阈值，可重复给出；对 confusion 则只列出这些阈值。"), "curve", ("curve",), _TWO_LABELS, type=float, multiple=True),
    Option("--cost", Text("Of cost: what a false positive and a false negative cost.", "cost 曲线：误报与漏报的代价。"), "curve", ("curve",), _TWO_LABELS, usual="fp=1,fn=1", metavar="fp=X,fn=Y"),
    Option("--bins", Text("Bins of calibration.", "校准曲线的分箱数。"), "curve", ("curve",), _TWO_LABELS, type=click.IntRange(min=1), usual=15),
    Option("--binning", Text("Bins of equal width, or of equal numbers of rows.", "等宽（width）或等频（quantile）分箱。"), "curve", ("curve",), _TWO_LABELS, type=click.Choice(["width", "quantile"]), usual="width"),
    Option("--thin", Text(f"At most so many points of each curve, 0: all; by default {THINNED} in tables to read, all in data files.", f"每条曲线最多保留的点数，0 表示全部；默认在供阅读的表格中为 {THINNED}，在数据文件中为全部。"), "curve", ("curve",), type=click.IntRange(min=0)),

    Option("-k k", Text("Cut-offs of overlap and Jaccard, by comma.", "重叠与 Jaccard 的截断位置，用逗号分隔。"), "comparison", ("similar",), LISTS, metavar="K,K,...", default="10"),
    Option("--rbo-p rbo_p", Text("Persistence of rank-biased overlap: how far down a reader looks.", "RBO 的 p：读者愿意往下看的程度。"), "comparison", ("similar",), LISTS, type=float, default=0.9),
    Option("--worst", Text("List the N queries that changed most.", "列出变化最大的 N 个查询。"), "output", ("similar",), LISTS, type=click.IntRange(min=0), metavar="N", default=10),
    Option("-q --per-query per_query", Text("The value of each query.", "给出每个查询的值。"), "output", ("similar",), LISTS, is_flag=True),

    Option("--method", Text("By ranks: rrf, rbc, isr, log_isr, logn_isr, bordafuse, w_bordafuse, condorcet, w_condorcet; by scores: sum, mnz, anz, gmnz, min, max, med, wsum, wmnz, mixed; learned with --tune: bayesfuse, mapfuse, posfuse, probfuse, segfuse, slidefuse.", "按名次：rrf、rbc、isr、log_isr、logn_isr、bordafuse、w_bordafuse、condorcet、w_condorcet；按分数：sum、mnz、anz、gmnz、min、max、med、wsum、wmnz、mixed；用 --tune 学习：bayesfuse、mapfuse、posfuse、probfuse、segfuse、slidefuse。"), "fusion", ("fuse",), LISTS, metavar="METHOD", default="rrf"),
    Option("--norm", Text("How scores are made comparable: min_max (by default), max, sum, zmuv, rank, borda, min_max_inverted or none; methods of ranks have none.", "如何使分数可比：min_max（默认）、max、sum、zmuv、rank、borda、min_max_inverted 或 none；按名次的方法不用。"), "fusion", ("fuse",), LISTS, metavar="NORM"),
    Option("--weights", Text("A weight for each run, by comma.", "每份结果的权重，用逗号分隔。"), "fusion", ("fuse",), LISTS, metavar="W,W,..."),
    Option("--rrf-k rrf_k", Text("The k of rrf.", "rrf 的 k。"), "fusion", ("fuse",), LISTS, type=float, default=60),
    Option("--phi", Text("Of rbc: the patience of its reader.", "rbc 的 phi：读者的耐心。"), "fusion", ("fuse",), LISTS, type=float, default=0.8),
    Option("--sigma", Text("Of logn_isr.", "logn_isr 的 sigma。"), "fusion", ("fuse",), LISTS, type=float, default=0.01),
    Option("--gamma", Text("Of gmnz: how much the number of runs counts.", "gmnz 的 gamma：命中份数的影响。"), "fusion", ("fuse",), LISTS, type=float, default=1.0),
    Option("--segments", Text("Of probfuse: into how many segments a list is cut; looked for by --tune without it.", "probfuse 把列表切成的段数；不给时由 --tune 搜索。"), "fusion", ("fuse",), LISTS, type=int, metavar="N"),
    Option("--window", Text("Of slidefuse: how many ranks above and below count; looked for by --tune without it.", "slidefuse 的窗口：上下各取多少个名次；不给时由 --tune 搜索。"), "fusion", ("fuse",), LISTS, type=int, metavar="N"),
    Option("--tune", Text("Look for the weights (or k, phi, sigma, gamma, segments, window) on a grid, or learn what ranks are worth, from these judgements.", "用这些标注在网格上搜索权重（或 k、phi、sigma、gamma、segments、window），或学习名次的价值。"), "fusion", ("fuse",), LISTS, metavar="QRELS"),
    Option("-m --metric metric", Text("The metric that --tune makes as good as possible.", "--tune 要优化的指标。"), "fusion", ("fuse",), LISTS, default="ndcg@10"),
    Option("--hold-out", Text("Share of the judged queries that --tune does not see and that tell how good its choice is; by a hash of the query id.", "--tune 搜索时不使用的查询比例，用来检验所选的取值；按查询编号的哈希划分。"), "fusion", ("fuse",), LISTS, type=float, metavar="SHARE", default=0.5),
    Option("--tag", Text("The last word of each line of a TREC run.", "TREC 文件每行末尾的名称。"), "output", ("fuse",), LISTS, default="pingce"),

    Option("--how", Text("random (by a hash of user and item), users, items (by a hash of these alone: cold ones), last (the last rows of each user), user_time (the last share of each user's), time (from one moment on).", "random（按用户与条目的哈希）、users、items（只按其一的哈希：冷启动）、last（每个用户最后若干行）、user_time（每个用户最后的比例）、time（某时刻之后）。"), "splitting", ("split",), LISTS, type=click.Choice(("random", "users", "items", "last", "user_time", "time")), default="random"),
    Option("--test", Text("Share of test, 0.2 by default; of --how last the rows a user, 1 by default.", "测试集的比例，默认 0.2；--how last 时为每个用户的行数，默认 1。"), "splitting", ("split",), LISTS, type=float, metavar="SHARE|N"),
    Option("--validation", Text("The same of a part for validation, before test; by default none.", "验证集（在测试集之前）的比例或行数；默认没有。"), "splitting", ("split",), LISTS, type=float, metavar="SHARE|N", default=0),
    Option("--folds", Text("So many parts of equal chance in place of train and test; for random, users and items.", "以若干等概率的折代替训练集与测试集；用于 random、users 与 items。"), "splitting", ("split",), LISTS, type=int, metavar="K"),
    Option("--at", Text("For --how time: where test begins; twice: where validation and test begin.", "用于 --how time：测试集的起点；给出两次则为验证集与测试集的起点。"), "splitting", ("split",), LISTS, metavar="MOMENT", multiple=True),
    Option("--seed", Text("Of the hash; another one draws other parts.", "哈希的种子；不同种子得到不同划分。"), "splitting", ("split",), LISTS, type=int, default=0),
    Option("-o --output", Text("The folder that gets train, test …, a file each.", "写入 train、test 等文件的文件夹。"), "output", ("split",), LISTS, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER"),
    Option("-f --format out_format", Text("Format of the parts.", "各部分的文件格式。"), "output", ("split",), LISTS, type=click.Choice(FORMATS["split"]), default="parquet"),
    Option("--strict", Text("Exit code 1 where something leaks.", "有泄漏时退出码为 1。"), "output", ("leak",), LISTS, is_flag=True),
    *(Option(f"--{name}", Text(f"The column of the {en}; by default found by its name.{more}", f"{zh}列；默认按列名识别。{more_zh}"), "input", _LOGS, LISTS, metavar="COLUMN") for name, en, zh, more, more_zh in (("user", "user", "用户", "", ""), ("item", "item", "条目", "", ""), ("time", "time", "时间", " order: rows stand in the order of time.", "order 表示各行已按时间排列。"))),

    Option("--grades", Text("Grades in ranked order; ? = not judged.", "按名次的等级；? 表示未标注。"), "values", ("explain",), metavar="G,G,..."),
    Option("--judged", Text("Grades of all judged items, those of the list among them; or, of files, truth or list: which judgements count.", "全部已标注条目的等级，列表中的也在内；对文件则写 truth 或 list：计入哪些标注。"), "values", ("explain",), metavar="G,G,... | list"),
    Option("--labels", Text("Labels of two kinds, a row each.", "两种取值的标签，每行一个。"), "values", ("explain",), metavar="L,L,..."),
    Option("--scores", Text("Scores of these rows.", "这些行的分数。"), "values", ("explain",), metavar="S,S,..."),

    *(Option("-f --format out_format", _FORMAT, "output", (name,), type=click.Choice(FORMATS[name])) for name in ("eval", "compare", "curve", "similar", "leak")),
    Option("-f --format out_format", Text("Format of the run; by default TREC's, or by -o's suffix.", "结果的格式；默认为 TREC 格式，或由 -o 的后缀决定。"), "output", ("fuse",), LISTS, type=click.Choice(FORMATS["fuse"])),
    Option("-o --output", Text("Write the run to a file: .run, .trec, .txt (TREC), .parquet, .csv or .tsv; without it the run goes to stdout.", "写入文件：.run、.trec、.txt（TREC 格式）、.parquet、.csv 或 .tsv；不给出则写到标准输出。"), "output", ("fuse",), LISTS, type=_FILE),
    Option("-f --format out_format", Text("Format; by default a table, or by -o's suffix. md suits the summary of a CI run.", "输出格式；默认为表格，或由 -o 的后缀决定。md 适合作 CI 摘要。"), "output", ("check",), type=click.Choice(FORMATS["check"])),
    Option("-f --format out_format", Text("Format; by default text, or by -o's suffix.", "输出格式；默认为文本，或由 -o 的后缀决定。"), "output", ("explain",), type=click.Choice(FORMATS["explain"])),
    Option("-o --output", Text("Write to a file: its suffix says the format, without one it is a table; a suffix that cannot be written is refused.", "写入文件：由后缀决定格式，没有后缀则为表格；不能写出的后缀会被拒绝。"), "output", ("eval", "compare", "check", "curve", "similar", "leak"), type=_FILE),
    Option("-o --output", Text("Write to a file: its suffix says the format, without one it is text; a suffix that cannot be written is refused.", "写入文件：由后缀决定格式，没有后缀则为文本；不能写出的后缀会被拒绝。"), "output", ("explain",), type=_FILE),
    Option("-o --output", Text("The file: .html, .htm or no suffix; others are refused.", "要写入的文件：后缀为 .html、.htm 或没有后缀；其他后缀会被拒绝。"), "output", ("report",), type=_FILE, default=Path("report.html")),
    Option("--title", Text("What stands at the top of the page.", "页面顶部的标题。"), "output", ("report",)),
    Option("-q --per-query --per-group --per-class per_query", Text("Also the value of each query, group or class.", "同时给出每个查询、分组或类别的值。"), "output", ("eval",), is_flag=True),
    Option("-q --per-query --per-group per_query", Text("Also the value of each query or group under each model, and its difference to the baseline.", "同时给出每个查询或分组在各模型下的值，以及与基线之差。"), "output", ("compare",), is_flag=True),
    Option("--worst", Text("Also list the N queries or groups with the lowest values, ready to explain.", "同时列出数值最低的 N 个查询或分组，可直接讲解。"), "output", ("eval",), type=click.IntRange(min=1), metavar="N"),
    Option("--explain-numbers", Text("Also say in words what the numbers mean.", "同时用文字说明这些数字的含义。"), "output", ("eval",), is_flag=True),
    Option("-v --verbose", Text("The full definition of each number below the table.", "在表格下方给出每个数字的完整定义。"), "output", ("eval",), is_flag=True),
    Option("-v --verbose", Text("More columns, and the full definition of each number.", "更多列，以及每个数字的完整定义。"), "output", ("compare",), is_flag=True),
    Option("-p --places", Text("Decimals in tables; -1: all.", "表格的小数位数；-1 表示全部。"), "output", ("eval", "compare", "check", "curve", "similar", "leak"), type=_PLACES, default=4),
    Option("-p --places", Text("Decimals; -1: all.", "小数位数；-1 表示全部。"), "output", ("explain",), type=_PLACES, default=4),
    Option("--quiet", Text("No notes and counts on stderr.", "不在 stderr 输出说明与计数。"), "output", (*_GATE, *_LISTED, *_LOGS), is_flag=True),
    Option("--quiet", Text("No notes on stderr.", "不在 stderr 输出说明。"), "output", ("curve",), is_flag=True),
    Option("--bom", Text("Begin a CSV or TSV file with a byte-order mark, for Excel.", "在 CSV、TSV 文件开头写入字节序标记，便于 Excel 打开。"), "output", ("eval", "compare"), is_flag=True),
    Option("--escape-formulas", Text("In CSV and TSV, put ' before cells that a spreadsheet would compute.", "在 CSV、TSV 中，为电子表格会当作公式计算的单元格加上前缀 '。"), "output", ("eval", "compare"), is_flag=True),

    Option("--query", Text("The query of the ranking.", "排序中的查询。"), "input", ("explain",), metavar="ID"),
    Option("--input-format", input_format_help(), "input", (*_EXPLAIN, *_LISTED), place="reading.input_format"),
    Option("--input-format", input_format_help(tabular=True), "input", ("curve", *_LOGS), place="reading.input_format"),
    Option("--sep", Text("What separates the columns of tables in text, e.g. ';', '|' or tab; by default a comma or a tab.", "文本表格的列分隔符，例如 ';'、'|' 或 tab；默认为逗号或制表符。"), "input", (*_READ, *_LISTED, *_LOGS), metavar="CHARACTER"),
    Option("--columns", Text("Columns by role: query=uid,item=iid,grade=g,score=s,rank=r,weight=w; run.query=…, exclude.item=… for one table; by number where there is no header (run.score=3); rank=order: rows are in order.", "按角色指定列：query=uid,item=iid,grade=g,score=s,rank=r,weight=w；run.query=…、exclude.item=… 只用于一张表；没有表头时用列号（run.score=3）；rank=order 表示各行已排好序。"), "input", _GATE, LISTS, "reading.columns", metavar="ROLE=NAME", multiple=True),
    Option("--columns", Text("Columns of a ranking by role: query=uid,item=iid,grade=g,score=s.", "按角色指定排序表的列：query=uid,item=iid,grade=g,score=s。"), "input", ("explain", *_LISTED), LISTS, "reading.columns", metavar="ROLE=NAME", multiple=True),
    Option("--exclude", Text("Pairs (query, item) taken out of the runs before ranking, e.g. items already seen.", "排序前从预测中去掉的（查询，条目）对，例如已看过的条目。"), "input", _GATE, LISTS, metavar="FILE"),
    Option("--exclude", Text("Pairs (query, item) taken out of the run before ranking.", "排序前从预测中去掉的（查询，条目）对。"), "input", ("explain",), LISTS, metavar="FILE"),
    Option("--train", Text("Pairs (query, item) of the past, for metrics of items such as novelty.", "过去的（查询，条目）对，用于 novelty 等看条目的指标。"), "input", _EXPLAIN, LISTS, metavar="FILE"),
    Option("--catalog", Text("Items that could be shown, or their number, for metrics of items such as coverage.", "可展示的条目，或其数目，用于 coverage 等看条目的指标。"), "input", _EXPLAIN, LISTS, metavar="FILE|N"),
    Option("--items", Text("A table of items with categories or vectors, for metrics of items such as ild.", "含类目或向量的条目表，用于 ild 等看条目的指标。"), "input", _EXPLAIN, LISTS, metavar="FILE"),
    Option("--reference", Text("Another run, for metrics that compare lists with it, such as overlap.", "另一个预测，用于 overlap 等与之比较列表的指标。"), "input", _EXPLAIN, LISTS, metavar="FILE"),
    Option("--query-weight", Text("How much each query counts in a mean: query and weight.", "各查询在均值中的权重：query 与 weight 两列。"), "input", _GATE, LISTS, metavar="FILE"),
    Option("--item-weight", Text("The column of QRELS that says how much each judged item weighs, e.g. its inverse propensity; a number where there is no header.", "QRELS 中给出各已标注条目权重的列，例如倾向分的倒数；没有表头时用列号。"), "input", _EXPLAIN, LISTS, "reading.item_weight", metavar="COLUMN"),
    Option("--encoding", Text("Encoding of text files, e.g. gb18030; by default UTF-8.", "文本文件的编码，例如 gb18030；默认 UTF-8。"), "input", (*_READ, *_LISTED, *_LOGS), place="reading.encoding"),

    Option("--label", Text("Labels of two kinds, e.g. click.", "两种取值的标签列，例如 click。"), "predictions", _READ, _LABELS, metavar="COLUMN"),
    Option("--score", Text("Scores or probabilities; repeated = several models.", "分数或概率列；重复给出即多个模型。"), "predictions", _READ, _LABELS, metavar="COLUMN", multiple=True),
    Option("--group", Text("Users or requests, for gauc and xgauc.", "用户或请求列，用于 gauc 与 xgauc。"), "predictions", _GATE, _GROUPED, metavar="COLUMN"),
    Option("--true", Text("True classes or numbers.", "真实类别或数值列。"), "predictions", _GATE, _VALUES, metavar="COLUMN"),
    Option("--true", Text("True classes or numbers: a column of the table, or values.", "真实类别或数值：表中的列，或直接写出的值。"), "predictions", ("explain",), _VALUES, metavar="COLUMN|V,V,..."),
    Option("--pred", Text("Predicted classes or numbers; repeated = several models.", "预测类别或数值列；重复给出即多个模型。"), "predictions", _GATE, _VALUES, metavar="COLUMN", multiple=True),
    Option("--pred", Text("Predicted ones, likewise.", "预测的类别或数值，写法同上。"), "predictions", ("explain",), _VALUES, metavar="COLUMN|V,V,..."),
    Option("--group", Text("Users or requests, for gauc and xgauc, likewise.", "用户或请求，用于 gauc 与 xgauc，写法同上。"), "predictions", ("explain",), _GROUPED, metavar="COLUMN|V,V,..."),
    Option("--weight --sample-weight", Text("How often each row counts.", "每行的权重列。"), "predictions", (*_GATE, "curve"), ROWS, metavar="COLUMN"),
    Option("--weight --sample-weight", Text("How often each row counts, likewise.", "每行的权重，写法同上。"), "predictions", ("explain",), ROWS, metavar="COLUMN|V,V,..."),
    *_declared(_GATE, "COLUMN"),
    *_declared(("explain",), "COLUMN|V,V,..."),
    *_declared(("curve",), "COLUMN", _DRAWN),
    Option("--class of_class", Text("Only this class.", "只讲这一个类别。"), "predictions", ("explain",), _VALUES, metavar="LABEL"),
    Option("--of-group", Text("Only the rows of this group (with --group).", "只讲这一组的行（与 --group 同用）。"), "predictions", ("explain",), _GROUPED, metavar="ID"),
    Option("--task", Text("By default inferred from the columns, and said.", "默认由各列推断，并说明。"), "predictions", _EXPLAIN, type=click.Choice(tuple(TASKS))),
    Option("--positive", Text("The positive label; of numbers by default the larger.", "正类的标签；数值默认取较大者。"), "predictions", _READ, _TWO_LABELS, "positive", metavar="LABEL"),
    *_policies("predictions"),
    Option("--id", Text("Matches the rows of several prediction files by this column.", "按该列对齐多个预测文件的行。"), "predictions", (*_GATE, "curve"), ROWS, metavar="COLUMN"),
    Option("--unmatched", Text("Of ids that not every file has: refuse (by default), or leave them out.", "并非每个文件都有的编号：报错（默认），或不计入。"), "predictions", (*_GATE, "curve"), ROWS, type=click.Choice(["error", "drop"])),

    *_policies("policies"),
    _policy("ties", Text("Equal scores in a list: by id, the largest or the smallest first, or as given.", "列表中的同分条目：按编号从大到小或从小到大，或按给出的顺序。"), _LISTED, ORDERS),
    *(_policy(name, commands=_LISTED) for name in ("score_type", "duplicates", "nan")),

    Option("--threads", Text("Threads; by default all cores, or PINGCE_THREADS.", "线程数；默认用全部核心，或 PINGCE_THREADS。"), "scale", (*_READ, *_LISTED), place="reading.threads", type=click.IntRange(min=1)),
    Option("--memory", Text("Files that would take more than this are streamed, e.g. 2GB; by default a quarter of the memory there is.", "超过此大小的输入将流式读取，例如 2GB；默认为内存的四分之一。"), "scale", ("eval",), place="limits.memory", metavar="SIZE"),
    Option("--tmpdir", Text("Where temporary files go, if any are needed; by default the system's place.", "需要临时文件时的存放位置；默认为系统的临时文件夹。"), "scale", ("eval",), place="limits.tmpdir", metavar="DIR"),
    Option("--bins", Text("Put scores into N cells, N / 512 for every doubling of the score: bounded memory, and a bound of the error beside auc, pr_auc and ks; 1048576 makes it 0.0001 or so of auc.", "把分数归入 N 个箱，分数每翻一倍占 N / 512 个：内存有界，auc、pr_auc、ks 旁给出误差界；N 取 1048576 时 auc 的误差界约为 0.0001。"), "scale", ("eval",), _BINNED, "bins", click.IntRange(min=2, max=1 << 24), "N"),
    Option("--engine", Text("Where rows are read and counted: here, or by Spark (Parquet, CSV, TSV, JSON lines).", "在何处读取与计数：本机，或 Spark（Parquet、CSV、TSV、JSON Lines）。"), "scale", ("eval",), type=click.Choice(("local", "spark"))),
    Option("--master", Text("The Spark cluster: spark://…, yarn, sc://… (Connect); by default local[*].", "Spark 集群：spark://…、yarn、sc://…（Connect）；默认 local[*]。"), "scale", ("eval",), metavar="URL"),
)  # fmt: skip


def parameters(command: str) -> list[click.Parameter]:
    """The options of a command, for click."""
    return [option.parameter() for option in OPTIONS if command in option.commands]


def complete(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command, and those of `pingce eval` that it does not have, as they are when nobody writes them."""
    return {option.name: option.unset for option in OPTIONS if "eval" in option.commands} | dict(options)


def stated(options: Mapping[str, Any], command: str = "eval") -> list[Option]:
    """The options of a command that were written, by name."""
    written = [
        option
        for option in OPTIONS
        if command in option.commands and options.get(option.name, option.unset) not in (option.unset, None)
    ]
    return sorted(written, key=lambda option: option.name)


def out_of_place(options: Mapping[str, Any], tasks: Collection[str], command: str = "eval") -> Option | None:
    """The first option that was written and means nothing to any of these tasks."""
    return next((option for option in stated(options, command) if not set(option.tasks) & set(tasks)), None)


def are_rows(options: Mapping[str, Any], command: str, *, alone: bool) -> bool:
    """Whether the files are tables of predictions: by the task that was named, else by the options, else as one file is."""
    if options["task"]:
        return TASKS[options["task"]].of_rows
    return alone or out_of_place(options, LISTS, command) is not None


def refuse_out_of_place(options: Mapping[str, Any], command: str, *, rows: bool) -> None:
    """Refuse an option of rankings beside predictions, and of predictions beside rankings."""
    option = out_of_place(options, ROWS if rows else LISTS, command)
    if option is None:
        return
    flag, of = option.flag, Text("predictions", "预测表") if rows else Text("rankings", "排序")
    if command in _COMPARE:
        raise InputError(f"{flag} has no meaning for {of.en}; leave it out", f"{flag} 对{of.zh}没有意义；请去掉")
    place = Text("rankings (QRELS RUN...)", "排序（QRELS RUN...）")
    if not rows:
        place = Text("predictions (tables with labels and scores)", "预测表（含标签与分数）")
    raise InputError(f"{flag} is for {place.en}, not for {of.en}", f"{flag} 只用于{place.zh}，不用于{of.zh}")
