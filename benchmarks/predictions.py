"""Labels and predictions in memory: what is measured, on which sample, by which peer, and what must be reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bars import Bar, cost, faster, within

ROWS = 10_000_000
QUERIES = 7_000
RARE, EVEN = ("float32, 3 % positive", "float32, 50 % positive")
RARE64, EVEN64 = ("float64, 3 % positive", "float64, 50 % positive")
AUC_SAMPLES = (RARE, EVEN, RARE64, EVEN64)
"Names in samples.py."
LOOP = "pandas + sklearn on 2,000 users, scaled by rows"


@dataclass(frozen=True)
class Prediction:
    """One call of pingce on columns of a sample, and what a peer needs for the same numbers.

    The name begins with the work that every worker knows; the title is English and Chinese.
    """

    name: str
    sample: str
    limit: float | None
    title: str
    peer: str = "sklearn"
    rows: int = ROWS
    calls: int | None = None
    "Of the peer, where it is not what the peer has for all."
    label: str = ""
    "Of the peer, where its name says too little."

    @property
    def work(self) -> str:
        """What the workers call it."""
        return self.name.partition("/")[0]

    @property
    def theirs(self) -> str:
        """The name of the peer's measurement."""
        return f"{self.name}/{self.label or self.peer}"

    def bars(self) -> Iterator[Bar]:
        """Against the peer; without one, in seconds."""
        if self.peer:
            yield from faster(self.title, f"{self.name}/pingce", self.theirs, self.limit)
        else:
            yield within(self.title, f"{self.name}/pingce", self.limit)


PREDICTIONS = (
    Prediction(f"auc/{RARE}", RARE, 25, "AUC, float32, 3 % positive|AUC，float32，正例 3 %", calls=3),
    Prediction(f"auc/{EVEN}", EVEN, 18, "AUC, float32, 50 % positive|AUC，float32，正例 50 %", calls=3),
    Prediction(f"auc/{RARE64}", RARE64, 15, "AUC, float64, 3 % positive|AUC，float64，正例 3 %", calls=3),
    Prediction(f"auc/{EVEN64}", EVEN64, 15, "AUC, float64, 50 % positive|AUC，float64，正例 50 %", calls=3),
    Prediction("pr_auc", RARE, 15, "pr_auc, float32|pr_auc，float32", calls=3),
    Prediction("together", RARE, 20, "auc, pr_auc, logloss, f1, brier, ks in one call|auc、pr_auc、logloss、f1、brier、ks 一次算出"),
    Prediction("logloss/float32", RARE, 20, "logloss, float32|logloss，float32", calls=4),
    Prediction("logloss/float64", RARE64, 20, "logloss, float64|logloss，float64", calls=4),
    Prediction("brier/float32", RARE, 12, "brier, float32|brier，float32", calls=6),
    Prediction("brier/float64", RARE64, 12, "brier, float64|brier，float64", calls=6),
    Prediction("ece", RARE, 0.08, "ece, float32|ece，float32", peer=""),
    Prediction("auc/weights", f"{RARE}, weights", 10, "AUC with fractional weights|AUC，带小数权重", calls=3),
    Prediction("decisions", f"{RARE}, weights", 10, "confusion, logloss, f1 with fractional weights|混淆、logloss、f1，带小数权重", calls=3),
    Prediction("gauc/integers", "users", 12, "GAUC, 1M users in random order, integers|GAUC，100 万用户乱序，整数编号", peer="polars"),
    Prediction("gauc/strings", "users, strings", None, "GAUC, the same users, strings|GAUC，同样的用户，字符串编号", peer="polars"),
    Prediction("gauc_loop", "users", 500, "GAUC against a loop over users|GAUC，对照逐用户循环", calls=2, label=LOOP),
    Prediction("multiclass", "classes", 10, "report of 100 classes|100 个类别的报告"),
    Prediction("ovo", "probabilities", 5, "auc(multi=ovo) of 20 classes, 1M rows|auc(multi=ovo)，20 个类别，100 万行", rows=1_000_000),
    Prediction("regression", "numbers", 3, "mae + rmse + r2, exact sums|mae + rmse + r2，精确求和", calls=6),
    Prediction("msle", "amounts", 5, "msle|msle", calls=4),
    Prediction("spearman", "amounts", 5, "spearman|spearman", calls=3),
    Prediction("medae", "amounts", 5, "medae|medae", calls=4),
    Prediction("kendall", "amounts", 20, "kendall|kendall", calls=2, label="scipy"),
    Prediction("xauc", "amounts", None, "xauc|xauc", peer=""),
    Prediction("xgauc", "watch", None, "xgauc, 1M users in random order|xgauc，100 万用户乱序", peer=""),
    Prediction("qini", "trial", 20, "Qini, float32|Qini，float32", peer="scikit_uplift"),
)  # fmt: skip
"In the order of the table; 10 million rows where nothing else is said."

STATISTICS = (
    Prediction("permutations", "queries", 20, "100,000 permutations, 10 pairs × 6 metrics × 7,000 queries|10 万次置换，10 对 × 6 个指标 × 7,000 个查询", peer="ranx", rows=QUERIES),
    Prediction("bootstrap", "queries", 20, "10,000 bootstrap draws of the same|同上，1 万次自助抽样", rows=QUERIES, label="scipy"),
)  # fmt: skip
"From the values of each query; scipy is where scikit-learn is."


def prediction_bars() -> Iterator[Bar]:
    """Each against its peer, and users by strings against users by integers."""
    for prediction in PREDICTIONS:
        yield from prediction.bars()
        if prediction.name == "gauc/strings":
            title = "GAUC, strings against integers: times the time|GAUC，字符串对整数：耗时之比"
            yield cost(title, "gauc/strings/pingce", "gauc/integers/pingce", 2)
    yield cost("xauc against auc: times the time|xauc 对 auc：耗时之比", "xauc/pingce", f"auc/{EVEN64}/pingce", 4)
    yield cost(
        "xgauc against gauc: times the time|xgauc 对 gauc：耗时之比", "xgauc/pingce", "gauc/integers/pingce", 1.5
    )
    for prediction in STATISTICS:
        yield next(prediction.bars())
