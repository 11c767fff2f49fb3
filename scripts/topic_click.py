"""Topics of click prediction: probabilities, few positives, users."""

from __future__ import annotations

from typing import Any

from topic_parts import Compared, Slip, Topic, Worked, asked

from pingce.base.text import Text

_SURE, _UNSURE = {"labels": [1, 0], "scores": [0.99, 0.01]}, {"labels": [1, 0], "scores": [0.51, 0.49]}
_HIGH = {"labels": [1, 0], "scores": [0.9, 0.4]}

LOGLOSS = Topic(
    "logloss",
    Text("Log loss and calibration", "对数损失与校准"),
    Text(
        "Log loss looks at the probability given to what really happened, and charges −ln of it. It is the price where probabilities are used as such: a bid is "
        "probability times value. AUC does not see whether a probability is right; log loss and PCOC do. Good order and bad loss means: recalibrate.",
        "对数损失看模型给“实际发生的事”多大概率，再取 −ln。凡是直接拿概率来用的地方都要看它：广告出价就是概率乘以价值。"
        "AUC 看不出概率准不准，对数损失和 PCOC 能看出。排序好而损失差，说明该做校准。",
    ),
    tuple(("binary", name) for name in ("logloss", "pcoc", "ece", "ne")),
    (
        Worked(
            Text("A click at 0.9, a non-click at 0.4", "点击预估 0.9，未点击预估 0.4"),
            Text("The rows that cost most come first.", "损失大的行排在前面。"),
            asked("logloss", **_HIGH),
        ),
        Worked(
            Text("The same rows: too high in all", "同样两行：总体偏高"),
            Text("1.3 clicks predicted, 1 observed: over-estimated.", "预估 1.3 次点击，实际 1 次：高估。"),
            asked("pcoc", **_HIGH),
        ),
        Compared(
            Text("Equal order, unequal loss", "顺序一样，损失不同"),
            Text(
                "0.51 against 0.49, or 0.99 against 0.01: AUC is 1 both times, the loss is not the same.",
                "0.51 对 0.49，或 0.99 对 0.01：AUC 都是 1，损失却不同。",
            ),
            tuple(asked(metric, **given) for metric in ("auc", "logloss") for given in (_UNSURE, _SURE)),
        ),
        Compared(
            Text("One confident mistake", "一次过于自信的错误"),
            Text("A click that was given 0.001 costs −ln 0.001.", "给一次点击预估 0.001，代价是 −ln 0.001。"),
            (asked("logloss", labels=[1], scores=[0.001]),),
        ),
        Compared(
            Text("The other readings of the first rows", "第一例的其他读数"),
            Text(
                "`ne` divides by the loss of always predicting the base rate: below 1 is better than a constant.",
                "`ne` 除以“永远预估平均点击率”的损失：小于 1 才比常数好。",
            ),
            tuple(asked(metric, **_HIGH) for metric in ("auc", "logloss", "ne", "pcoc", "ece")),
        ),
    ),
    more=Text(
        "Four cases. Order and loss good: fine. Order good, loss bad: calibrate. Both bad: look at features, data, labels. Order bad, loss low: "
        "a low base rate makes the loss small; look at `ne`. `scores.diagnosis` says which one it is.",
        "四种情况：顺序好、损失低，没问题；顺序好、损失高，做校准；两者都差，查特征、数据和标签；"
        "顺序差、损失低，是正例少使损失变小，要看 `ne`。`scores.diagnosis` 会指出属于哪一种。",
    ),
)

_ALL, _POSITIVE = 800_000_000, 19
_NONE = {"labels": [1, 0], "scores": [0, 0], "weight": [_POSITIVE, _ALL - _POSITIVE]}
_SHARE = _POSITIVE / _ALL
_BELIEVED = 1e-9

IMBALANCE = Topic(
    "imbalance",
    Text("Few positives: why accuracy misleads", "类别不平衡：准确率为什么会骗人"),
    Text(
        "Among 800,000,000 passengers 19 are wanted. A model that never raises the alarm is right nearly always and finds nobody. Accuracy cannot tell it "
        "from a good one; recall, precision and what is built on them can. The rows here are two, with weights.",
        "800,000,000 名旅客中要找的有 19 人。一个从不报警的模型几乎总是对的，却一个人也找不到。准确率分辨不出它的好坏，"
        "召回率、精确率以及由它们得出的指标可以。这里用两行加权数据来算。",
    ),
    tuple(("binary", name) for name in ("accuracy", "balanced_accuracy", "mcc")),
    (
        Worked(
            Text("Nobody is predicted positive", "一个也不判为正"),
            Text("Weights 19 and 799,999,981; eleven decimals.", "权重为 19 与 799,999,981；取十一位小数。"),
            asked("accuracy", places=11, **_NONE),
        ),
        Compared(
            Text("What the other metrics say", "别的指标怎么说"),
            Text(
                "Recall is 0, precision has no value, balanced accuracy is that of a coin.",
                "召回率为 0，精确率没有值，平衡准确率与抛硬币一样。",
            ),
            tuple(asked(metric, **_NONE) for metric in ("recall", "precision", "f1", "balanced_accuracy", "mcc")),
        ),
    ),
    (
        Slip(
            "99.9999999 %",
            "0.99999997625",
            Text(
                f"19 / 800000000 = {_SHARE:.4g}, so the accuracy is {1 - _SHARE:.11f} = {100 * (1 - _SHARE):.9f} %: seven nines and then 7625. The note has nine nines, two too many. "
                f"Nine nines would be an error of {_BELIEVED:.0e}, or {_BELIEVED * _ALL:.1f} of the 800,000,000 passengers: less than one, not 19.",
                f"19 / 800000000 = {_SHARE:.4g}，准确率为 {1 - _SHARE:.11f} = {100 * (1 - _SHARE):.9f} %：七个九，接着是 7625。笔记写了九个九，多了两个。"
                f"九个九意味着错误率为 {_BELIEVED:.0e}，即 800,000,000 名旅客中 {_BELIEVED * _ALL:.1f} 人：不到一人，而不是 19 人。",
            ),
        ),
    ),
    Text(
        "pingce says so itself: where a constant prediction reaches the accuracy, a warning gives the base rate and the accuracy of the constant. AUC does not move with the "
        "share of positives, `pr_auc` does: see [the AUC page](auc.md), every negative ten times.",
        "pingce 会主动提醒：若常数预测也能达到这个准确率，就给出正例占比与常数的准确率。AUC 不随正例占比变化，`pr_auc` 会变："
        "见 [AUC 一页](auc.md)中每个负例复制十份的例子。",
    ),
)

CLICKS: dict[str, Any] = {
    "labels": [1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0],
    "scores": [0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 0.1, 0.2, 0.5, 0.3, 0.4, 0.5, 0.6],
    "group": ["u1"] * 6 + ["u2"] * 4 + ["u3"] * 2 + ["u4"] * 2,
}
"Two users with clicks and others, one who clicked on everything, one on nothing."

GAUC = Topic(
    "gauc",
    Text("GAUC: AUC within each user", "GAUC：每个用户内部的 AUC"),
    Text(
        "AUC also compares the clicks of one user with the non-clicks of another, which no list ever does. GAUC takes the AUC of every user and averages. By what it weights, and what it does with "
        "users who clicked on everything or nothing, decides the number: say both when you report it.",
        "AUC 会拿这个用户的点击与那个用户的未点击相比，而线上的列表从不这样排。GAUC 先算每个用户的 AUC，再加权平均。"
        "按什么加权，全点或全不点的用户怎么办，直接决定数值：报告时两样都要写明。",
    ),
    (("binary", "gauc"),),
    (
        Worked(
            Text("Four users, two of them usable", "四个用户，两个可用"),
            Text(
                "u1: 1 click of 6 impressions, AUC 1. u2: 3 of 4, AUC 1/3. u3 clicked on everything, u4 on nothing: both are left out and counted.",
                "u1：6 次曝光 1 次点击，AUC 为 1。u2：4 次曝光 3 次点击，AUC 为 1/3。u3 全点，u4 全不点：都不计入，并如实计数。",
            ),
            asked("gauc", **CLICKS),
        ),
        Compared(
            Text("Three weightings, and plain AUC", "三种加权，以及不分组的 AUC"),
            Text(
                "Impressions 11/15, clicks 1/2, every user alike 2/3; and the AUC of all rows together.",
                "按曝光 11/15，按点击 1/2，各用户一样重 2/3；最后是全部行合在一起的 AUC。",
            ),
            (
                *(asked(f"gauc(by={by})", **CLICKS) for by in ("impressions", "clicks", "uniform")),
                asked("auc", labels=CLICKS["labels"], scores=CLICKS["scores"]),
            ),
        ),
    ),
)
