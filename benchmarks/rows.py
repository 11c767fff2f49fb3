"""The table: every row that is measured, in order, with what must be reached beside it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bars import Bar, cost, faster, within
from commands import command_bars
from factor_peers import factor_bars
from items import item_bars
from predictions import AUC_SAMPLES, prediction_bars

TEXT = "6,980 queries × 1,000 items, strings, TREC text from the shell|6,980 个查询 × 1,000 个条目，字符串编号，shell 中读 TREC 文本"
ARROW, POLARS, PANDAS, DICTS = (
    "the same in memory, Arrow table|同上，内存中的 Arrow 表",
    "the same in memory, polars frame|同上，内存中的 polars 表",
    "the same in memory, pandas frame|同上，内存中的 pandas 表",
    "the same in memory, dict of dicts|同上，内存中的嵌套字典",
)
LISTS = "100k users × 100 items, integers, pandas|10 万用户 × 100 个条目，整数编号，pandas"
COLD = "50 × 1,000 from the shell, whole process|shell 中 50 × 1,000，整个进程"
SIXTY = "60 metric@k against 6: times the time|60 个 metric@k 对 6 个：耗时之比"
GROUPED = "100M rows by user, Parquet, `--memory 2GB`|1 亿行，按用户排列，Parquet，`--memory 2GB`"
SHUFFLED = "the same rows shuffled|同样的行，乱序"
CLICKS = "AUC + GAUC, 100M rows, Parquet, `--memory 2GB`|AUC + GAUC，1 亿行，Parquet，`--memory 2GB`"
SPARK = "Spark local[2], 10M rows, six metrics|Spark local[2]，1,000 万行，六个指标"
CUT = "the same, MLlib's lists cut at 10 before|同上，MLlib 的列表先截到 10"
BILLION = {
    "rankings": "rankings, six metrics|排序，六个指标",
    "clicks": "AUC + GAUC|AUC + GAUC",
}
SIZES = {"10M": "1,000 万", "100M": "1 亿", "1000M": "10 亿"}
"Rows, and how Chinese writes them."
LINEAR = 11.5
"Times the time for ten times the rows: linear within 15 %."


def beyond_input(title: str, ours: str, limit: float | None = None) -> Bar:
    """Bytes a row that a call takes at its peak, beyond its input."""
    return cost(title, ours, "auc_memory/a byte a row", limit, figure="beyond_bytes", their_figure="size_bytes")


def labelled(en: str, zh: str, title: str) -> str:
    """A title of two languages with words before it in each."""
    return "|".join(before + part for before, part in zip((en, zh), title.split("|"), strict=True))


def memory() -> Iterator[Bar]:
    """What AUC takes beyond its input; a byte a row is there to divide by."""
    for sample in AUC_SAMPLES:
        zh = sample.replace(", ", "，").replace("3 % positive", "正例 3 %").replace("50 % positive", "正例 50 %")
        title = f"AUC, {sample}: bytes a row beyond the input|AUC，{zh}：输入之外每行字节数"
        yield beyond_input(title, f"auc_memory/{sample}", 12)
    both = "auc and pr_auc, float64: bytes a row beyond the input|auc 与 pr_auc，float64：输入之外每行字节数"
    yield beyond_input(both, "auc_memory/both")
    distinct = "threshold table, float64: bytes a distinct score|阈值表，float64：每个不同分数的字节数"
    yield cost(distinct, "auc_memory/table", "auc_memory/table", 24, figure="beyond_bytes", their_figure="size_bytes")


def batches() -> Iterator[Bar]:
    """Batches of 100,000 rows against one call: at least this share of its speed."""
    for work, limit, title in (
        ("ranking", 0.75, "rankings, 10M rows in batches of 100k|排序，1,000 万行，每批 10 万行"),
        ("binary", 0.5, "auc + logloss, 10M rows in batches of 100k|auc + logloss，1,000 万行，每批 10 万行"),
        ("grouped", 0.5, "GAUC, 10M rows in batches of 100k|GAUC，1,000 万行，每批 10 万行"),
    ):
        yield Bar(title, f"batches/{work}, batches", f"batches/{work}, one call", limit=limit)


def billion() -> Iterator[Bar]:
    """Ten times the rows, twice, streamed from Parquet: times the time, and the peak of the largest."""
    for work, title in BILLION.items():
        for smaller, larger in pairwise(SIZES):
            grown = labelled(
                f"{smaller} → {larger} rows streamed: ", f"{SIZES[smaller]} → {SIZES[larger]}行，流式：", title
            )
            yield cost(grown, f"billion/{work} {larger}", f"billion/{work} {smaller}", LINEAR)
        peak = labelled("1000M rows streamed, peak: ", "10 亿行，流式，峰值：", title)
        yield within(peak, f"billion/{work} 1000M", 3, figure="peak_bytes")


BARS = (
    *faster(TEXT, "text/pingce", "text/pytrec_eval", 28),
    *faster(TEXT, "text/pingce", "text/ranx", 60),
    cost(TEXT, "text/pingce", "text/run file", 2, figure="peak_bytes", their_figure="size_bytes"),
    cost("the same as Parquet: times the time of text|同上，Parquet：对文本的耗时之比", "text/parquet", "text/pingce", 0.6),
    *faster(ARROW, "memory/arrow", "memory/pytrec_eval", 15),
    *faster(POLARS, "memory/polars", "memory/pytrec_eval", 15),
    *faster(PANDAS, "memory/pandas", "memory/pytrec_eval"),
    *faster(DICTS, "memory/dicts", "memory/pytrec_eval", 3),
    cost("the same as Arrow, rows shuffled: times the time|同上，Arrow，各行乱序：耗时之比", "order/shuffled", "order/grouped", 3),
    cost("RRF of two such runs: times the time of evaluating one|RRF 融合两份这样的结果：对评测一份的耗时之比", "fusion/fuse two", "fusion/evaluate one", 1.5),
    *faster(LISTS, "recommendation/pingce", "recommendation/rectools", 12),
    *faster(LISTS, "recommendation/pingce", "recommendation/ranx", 150),
    *item_bars(),
    *factor_bars(),
    cost(COLD, "cold/pingce eval", "cold/import numpy", 3, figure="median_s"),
    cost("`import pingce`|`import pingce`", "cold/import pingce", "cold/import numpy", 1.3, figure="median_s"),
    cost("1M → 10M rows: times the time|100 万 → 1,000 万行：耗时之比", "growth/10M", "growth/1M", 11),
    cost("10M → 100M rows: times the time|1,000 万 → 1 亿行：耗时之比", "growth/100M", "growth/10M", 11),
    Bar("evidence, two threads against one|证据，两线程对一线程", "evidence/two threads", "evidence/one thread", limit=1.6),
    cost(SIXTY, "sixty/sixty", "sixty/six", 2),
    *prediction_bars(),
    *memory(),
    cost("AUC, 1M → 10M rows: times the time|AUC，100 万 → 1,000 万行：耗时之比", "auc_growth/10M", "auc_growth/1M", LINEAR),
    cost("AUC, 10M → 100M rows: times the time|AUC，1,000 万 → 1 亿行：耗时之比", "auc_growth/100M", "auc_growth/10M", LINEAR),
    *command_bars(),
    *batches(),
    Bar(labelled("a tenth of ", "十分之一：", GROUPED), "scale/grouped", "scale/tenth", "tenth_s", limit=0.7),
    within(labelled("peak: ", "峰值：", GROUPED), "scale/grouped", 2, figure="peak_bytes"),
    cost(labelled("times the time: ", "耗时之比：", SHUFFLED), "scale/shuffled", "scale/grouped", 4),
    within(labelled("peak: ", "峰值：", SHUFFLED), "scale/shuffled", figure="peak_bytes"),
    within(labelled("peak: ", "峰值：", CLICKS), "scale/clicks", 3, figure="peak_bytes"),
    *faster(SPARK, "spark/pingce", "spark/MLlib", 4),
    *faster(CUT, "spark/pingce", "spark/MLlib, lists cut", 1.5),
    *billion(),
)  # fmt: skip
