"""Topics of labels, probabilities, classes and numbers."""

from __future__ import annotations

from fractions import Fraction

from topic_click import GAUC, IMBALANCE, LOGLOSS
from topic_parts import Compared, Topic, Users, Worked, asked

import pingce as pc
from pingce.base.text import Text

_CLASSES = {"true": [*"aaaabbc"], "pred": [*"aaabbcc"]}
_DECIDED = {"labels": [1, 0, 1, 1, 0, 0], "scores": [0.9, 0.8, 0.7, 0.4, 0.3, 0.2]}

F1 = Topic(
    "f1",
    Text("F1, and its averages over classes", "F1 与多类平均"),
    Text(
        "F1 is high only where precision and recall both are: it is their harmonic mean, close to the smaller one. With several classes there are "
        "several ways to average, and they disagree: *macro* counts every class alike, *micro* every row, *weighted* every class by its rows. "
        "`of=averages` first averages precision and recall, then takes F; papers mean either.",
        "精确率和召回率都高，F1 才高：它是两者的调和平均，更靠近小的那个。多分类时平均的办法不止一种，结果也不同："
        "宏平均（macro）各类一样重，微平均（micro）各行一样重，加权平均（weighted）按各类样本数。"
        "`of=averages` 先平均精确率与召回率再算 F；论文里两种都有人用。",
    ),
    (("binary", "f"), ("multiclass", "f"), ("ranking", "f")),
    (
        Worked(
            Text("Two classes: the four cells", "二分类：四个格子"),
            Text("Predicted positive from 0.5 on.", "分数不低于 0.5 判为正。"),
            asked("f1", **_DECIDED),
        ),
        Worked(
            Text("Three classes, macro", "三个类别，宏平均"),
            Text(
                "True a, a, a, a, b, b, c; predicted a, a, a, b, b, c, c.",
                "真值 a、a、a、a、b、b、c；预测 a、a、a、b、b、c、c。",
            ),
            asked("f1(average=macro)", **_CLASSES),
        ),
        Worked(
            Text("The F of the averages", "先平均，再算 F"),
            Text("The same rows: 12/17 instead of 85/126.", "同样的数据：12/17，而不是 85/126。"),
            asked("f1(average=macro,of=averages)", **_CLASSES),
        ),
        Compared(
            Text("All four side by side", "四种平均并排"),
            Text("85/126, 12/17, 5/7, 107/147.", "85/126、12/17、5/7、107/147。"),
            tuple(
                asked(f"f1(average={average})", **_CLASSES)
                for average in ("macro", "macro,of=averages", "micro", "weighted")
            ),
        ),
    ),
)

_TIED = {"labels": [0, 1, 1, 1, 0, 0, 1], "scores": [6, 5, 4, 4, 4, 3, 2]}
_POINTS = pc.roc_curve(_TIED["labels"], _TIED["scores"]).to_arrow().to_pydict()
_ROC = [
    f"({Fraction(fpr).limit_denominator(99)}, {Fraction(tpr).limit_denominator(99)})"
    for fpr, tpr in zip(_POINTS["fpr"], _POINTS["tpr"], strict=True)
]
_TENFOLD = _TIED | {"weight": [10, 1, 1, 1, 10, 10, 1]}

AUC = Topic(
    "auc",
    Text("ROC and AUC", "ROC 与 AUC"),
    Text(
        "Take one click and one non-click at random: how often does the click score higher? That is AUC; an equal pair counts one half. It is also the "
        "area under the ROC curve, and 1 minus the rank loss. Only the order of the scores counts: 0.51 above 0.49 is as good as 0.99 above 0.01.",
        "随便取一个点击和一个未点击，点击得分更高的机会有多大？这就是 AUC；同分算半个。它也是 ROC 曲线下的面积，等于 1 减去排序损失。"
        "只看分数的先后：0.51 排在 0.49 前面，与 0.99 排在 0.01 前面一样好。",
    ),
    (("binary", "auc"), ("binary", "rank_loss")),
    (
        Worked(
            Text("Seven rows, three of them tied", "七行，其中三行同分"),
            Text(
                "Labels by descending score: 0, 1, (1, 1, 0), 0, 1; the brackets share a score. 5 of 12 pairs.",
                "按分数从高到低的标签：0、1、（1、1、0）、0、1，括号内同分。12 对里得 5 对。",
            ),
            asked("auc", **_TIED),
        ),
        Compared(
            Text("AUC and rank loss add up to 1", "AUC 与排序损失之和为 1"),
            Text(
                f"5/12 and 7/12. The ROC curve of these rows goes {', '.join(_ROC)}: a tied block is one slanted step.",
                f"5/12 与 7/12。这些行的 ROC 曲线是 {'、'.join(_ROC)}：同分的一块是一段斜线。",
            ),
            (asked("auc", **_TIED), asked("rank_loss", **_TIED)),
        ),
        Compared(
            Text("Every negative ten times", "每个负例复制十份"),
            Text(
                "Weight 10 is the row ten times. AUC and every ROC point stay as they are; precision and the area under the PR curve fall.",
                "权重 10 就是这一行出现十次。AUC 与 ROC 上每一点都不变；精确率与 PR 曲线下面积下降。",
            ),
            (
                asked("auc", **_TIED),
                asked("auc", **_TENFOLD),
                asked("pr_auc", **_TIED),
                asked("pr_auc", **_TENFOLD),
                asked("precision", **_TIED, threshold=4),
                asked("precision", **_TENFOLD, threshold=4),
            ),
        ),
    ),
)

_SIX = {"labels": [1, 0, 1, 1, 0, 0], "scores": [6, 5, 4, 3, 2, 1]}
_BLOCKS = {"labels": [1, 1, 0, 1, 0], "scores": [3, 2, 2, 1, 1], "weight": [1, 1, 9, 2, 5]}
_FOUR = {"labels": [0, 1, 1, 0], "scores": [4, 3, 2, 1]}

PR_BEP = Topic(
    "pr-bep",
    Text("PR curve and break-even point", "PR 曲线与平衡点"),
    Text(
        "Lower the threshold step by step and note precision and recall at each: that is the PR curve. The area under it is one summary, the break-even point "
        "another: where as many rows are predicted positive as there are positives, precision equals recall. With few positives look here, not at ROC.",
        "把阈值一步步放低，记下每一步的精确率（查准率）和召回率（查全率），就是 PR 曲线。曲线下面积是一种概括，平衡点（BEP）是另一种："
        "判为正的行数恰好等于正例数时，精确率等于召回率。正例很少时看这里，不要只看 ROC。",
    ),
    (("binary", "pr_auc"), ("binary", "bep")),
    (
        Worked(
            Text("The area, threshold by threshold", "面积，逐个阈值"),
            Text("Labels 1, 0, 1, 1, 0, 0 by descending score.", "按分数从高到低，标签为 1、0、1、1、0、0。"),
            asked("pr_auc", **_SIX),
        ),
        Worked(
            Text("The break-even point of the same rows", "同样数据的平衡点"),
            Text("Three positives: look at the first three rows.", "正例有三个：看前三行。"),
            asked("bep", **_SIX),
        ),
        Worked(
            Text("A block of equal scores", "同分的一块"),
            Text(
                "Blocks with 1, 1 and 2 positives and 0, 9 and 5 negatives. The fourth row lies inside the second block: TP is shared out in counts there.",
                "三块同分，正例 1、1、2 个，负例 0、9、5 个。第四行落在第二块里面：在块内按个数比例分摊 TP。",
            ),
            asked("bep", **_BLOCKS),
        ),
        Compared(
            Text("Three break-even points", "三个平衡点"),
            Text("2/3, 0.325, 1/2.", "2/3、0.325、1/2。"),
            (asked("bep", **_SIX), asked("bep", **_BLOCKS), asked("bep", **_FOUR)),
        ),
    ),
    more=Text(
        "Comparing two models: a curve on or above the other everywhere wins. If they cross, the area or the break-even point must decide, and they need not agree.",
        "比较两个模型：一条曲线处处不低于另一条，就是它好。若有交叉，只能由面积或平衡点来定，而这两者未必一致。",
    ),
)

_NUMBERS = {"true": [3, -0.5, 2, 7], "pred": [2.5, 0, 2, 8]}

REGRESSION = Topic(
    "regression",
    Text("Numbers: MAE and RMSE", "数值预测：MAE 与 RMSE"),
    Text(
        "How far off is the prediction? MAE averages the distances, RMSE squares them first, so a few large errors weigh more. RMSE is never below MAE; "
        "far above it means that the errors are very unequal.",
        "预测差了多少？MAE 直接平均误差的绝对值；RMSE 先平方再平均，大误差算得更重。RMSE 不会小于 MAE；大出很多，说明误差大小悬殊。",
    ),
    (("regression", "mae"), ("regression", "rmse"), ("regression", "r2")),
    (
        Worked(Text("Four numbers: MAE", "四个数：MAE"), Text("", ""), asked("mae", **_NUMBERS)),
        Worked(Text("The same four: RMSE", "同样四个数：RMSE"), Text("", ""), asked("rmse", **_NUMBERS)),
        Compared(
            Text("Side by side", "并排"),
            Text("r2 compares with always predicting the mean.", "r2 与“永远预测平均值”相比。"),
            tuple(asked(metric, **_NUMBERS) for metric in ("mae", "rmse", "r2", "max_error")),
        ),
    ),
)

_EQUAL_TRUTH, _EQUAL_RUN = {"q": {"a": 2, "b": 0, "c": 1}}, {"q": {"a": 0.9, "b": 0.9, "c": 0.5}}
_GAPS_TRUTH = {"u1": {"a": 1}, "u2": {"b": 1}, "u3": {"c": 0}}
_GAPS_RUN = {"u1": ["x", "a"], "u3": ["c"]}
_HERE = "rr"

TIES_AND_MISSING = Topic(
    "ties-and-missing",
    Text("Ties, missing and undefined", "并列、缺失与没有定义"),
    Text(
        "Data leaves choices open: two items with one score, a user without a list, a user with nothing to find. Many tools choose silently; here each choice is a "
        "parameter, stands in the signature, and is counted in `scores.counts`. [The glossary](../glossary.md) lists all of them.",
        "数据总会留下要选的地方：两个条目同分，某个用户没有列表，某个用户没有可找的东西。许多工具悄悄替你选；这里每种选择都是参数，"
        "写进签名，并计入 `scores.counts`。全部策略见[术语](../glossary.md)。",
    ),
    parts=(
        Users(
            Text("Equal scores in a list", "列表中的同分"),
            Text(
                "Items a and b share the score 0.9; one is relevant, the other is not. By default the higher id comes first, as in trec_eval; `expected` is the mean over all orders.",
                "条目 a 与 b 同为 0.9 分，一个相关，一个不相关。默认编号大的在前，与 trec_eval 一致；`expected` 是对所有排列取平均。",
            ),
            _EQUAL_TRUTH,
            _EQUAL_RUN,
            tuple(("ndcg@3", {"ties": ties}) for ties in ("id", "id_ascending", "order", "worst", "best", "expected")),
            ("ndcg@3", {"ties": "expected"}),
        ),
        Compared(
            Text("Equal scores of labels", "标签的同分"),
            Text(
                "AUC counts an equal pair one half; rows have no order of their own that could decide. More on [the AUC page](auc.md).",
                "AUC 把同分的一对算半个；行本身的先后不起作用。详见 [AUC 一页](auc.md)。",
            ),
            (
                asked("auc", labels=[1, 0], scores=[0.5, 0.5]),
                asked("auc", labels=[0, 1], scores=[0.5, 0.5]),
                asked("auc", **_TIED),
            ),
        ),
        Users(
            Text("Users without a list, users without anything to find", "没有列表的用户，没有可找之物的用户"),
            Text(
                "User 2 is judged but got no list: by default 0. User 3 has no relevant item: by default left out and counted.",
                "用户 2 有标注却没有列表：默认记 0。用户 3 没有相关条目：默认不计入，并如实计数。",
            ),
            _GAPS_TRUTH,
            _GAPS_RUN,
            (
                (_HERE, {}),
                (_HERE, {"missing": "skip"}),
                (_HERE, {"undefined": "zero"}),
                (_HERE, {"missing": "skip", "undefined": "zero"}),
                (_HERE, {"missing": "skip", "undefined": "one"}),
            ),
        ),
        Compared(
            Text("No value", "没有值"),
            Text(
                "AUC needs both classes, precision at least one row predicted positive. A dash is not a zero: in JSON it is `null`.",
                "AUC 需要两个类别都有；精确率至少要有一行被判为正。横线不是 0：在 JSON 中是 `null`。",
            ),
            (
                asked("auc", labels=[1, 1], scores=[0.9, 0.2]),
                asked("precision", labels=[1, 0], scores=[0.3, 0.2]),
                asked("recall", labels=[1, 0], scores=[0.3, 0.2]),
            ),
        ),
    ),
)

LABEL_TOPICS = (F1, AUC, PR_BEP, LOGLOSS, IMBALANCE, GAUC, REGRESSION, TIES_AND_MISSING)
