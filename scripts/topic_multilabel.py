"""The topic of several labels per row: one name for many averages, and an accuracy that is two different numbers."""

from __future__ import annotations

from topic_parts import Compared, Topic, Worked, asked

from pingce.base.text import Text

_ROWS = {
    "labels": [1, 0, 1, 0, 1, 0, 1, 1, 0],
    "scores": [0.9, 0.35, 0.6, 0.4, 0.7, 0.1, 0.8, 0.3, 0.5],
    "row": [1, 1, 1, 2, 2, 2, 3, 3, 3],
    "tag": ["a", "b", "c"] * 3,
}
_DOCUMENTED = {
    "labels": [1, 0, 0, 0, 0, 1],
    "scores": [0.75, 0.5, 1.0, 1.0, 0.2, 0.1],
    "row": [1, 1, 1, 2, 2, 2],
    "tag": ["a", "b", "c"] * 2,
}
_EMPTY = {
    "labels": [0, 0, 0, 0, 0, 1],
    "scores": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
    "row": [1, 1, 1, 2, 2, 2],
    "tag": ["a", "b", "c"] * 2,
}

MULTILABEL = Topic(
    "multilabel",
    Text("Several labels per row: multi-label", "多标签：每行可有多个标签"),
    Text(
        "A picture may show a cat and a sofa, an article be about sport and money: each row has any number of labels out of L, and the model scores each of them. "
        "`pc.evaluate_multilabel(y_true, y_score)` takes two matrices (arrays, tensors, data frames with a column a label; a sparse truth too), or, with `data=`, lists of "
        "columns; files and Spark have a line per row and label: `pingce eval lines.parquet --label truth --score score --row id --tag label`. A label is predicted from "
        "`--threshold` on; predicted zeros and ones are scores too. Every row needs a line for every label: a pair that is missing, or there twice, is refused and named.\n\n"
        "**A bare F1 says nothing.** Labels make one number in four ways: `macro` is the mean over labels, `micro` pools all cells, `weighted` is the mean over labels by how "
        "many rows have them, `samples` is the mean over rows. `average=none` gives each label. What nothing can be divided by (a label that is never predicted has no precision, a row without labels no "
        "recall) counts as `undefined_label` says: 0 by default, as in scikit-learn, and is counted.\n\n"
        "**Accuracy is two numbers.** scikit-learn's `accuracy_score` of two matrices is the share of rows that are right in every label (`exact_match`), torchmetrics' `MultilabelAccuracy` the share of "
        "cells (`accuracy`, 1 less `hamming`): 2/3 against 7/9 below, and 0 against 0.95 where each row has one of 20 labels wrong. Keras' `binary_accuracy` is the second, and predicting no label at all is nearly perfect there.\n\n"
        "**Labels and rows of one kind.** A label that never occurs has no AUC. scikit-learn then has no mean at all (older ones raised an error), torchmetrics counts 0 and so "
        "makes the mean smaller with every such label, pingce leaves it out and says how many there were (`lacking=skip|zero|nan`). Of average precision scikit-learn counts 0. "
        "Rows without labels count as perfect in `lrap` (1), `label_ranking_loss` (0) and `coverage_error` (0): on data where half of the rows have none the numbers look splendid; "
        "`empty=skip` leaves them out.\n\n"
        "**Ties.** A model that says the same of all labels must not win: equal scores all stand above each other in `lrap` and `coverage_error`, and are wrong pairs in "
        "`label_ranking_loss` (`ties=half` counts them half, as AUC does). torchmetrics' `MultilabelRankingLoss` takes them in no specified order.",
        "一张图片可以既有猫又有沙发，一篇文章可以既谈体育又谈钱：每行可有 L 个标签中的任意多个，模型给每个标签打分。"
        "`pc.evaluate_multilabel(y_true, y_score)` 接受两个矩阵（数组、张量、每列一个标签的数据框；真值也可为稀疏矩阵），或与 `data=` 同用的列名列表；"
        "文件与 Spark 则每条写一行的一个标签：`pingce eval lines.parquet --label truth --score score --row id --tag label`。分数从 `--threshold` 起即预测该标签；预测出的 0 与 1 也可当作分数。"
        "每一行须有每个标签的一条：缺少或重复的会被指出并拒绝。\n\n"
        "**只写 F1 等于没说。** 各标签合成一个数有四种方式：`macro` 对各标签取平均，`micro` 合并全部格子，`weighted` 按各标签的行数加权，`samples` 对各行取平均；`average=none` 给出每个标签。"
        "没有分母之处（从未预测的标签没有精确率，没有标签的行没有召回率）按 `undefined_label` 处理：默认计 0，同 scikit-learn，并如实计数。\n\n"
        "**“准确率”是两个数。** scikit-learn 对两个矩阵的 `accuracy_score` 是整行全对的行所占比例（`exact_match`），torchmetrics 的 `MultilabelAccuracy` 是判对的格子所占比例"
        "（`accuracy`，即 1 减 `hamming`）：下例中为 2/3 与 7/9；若每行的 20 个标签各错一个，则为 0 与 0.95。Keras 的 `binary_accuracy` 是后者；一个标签也不预测，在那里也接近满分。\n\n"
        "**只有一种取值的标签与行。** 从未出现的标签没有 AUC。scikit-learn 此时没有均值（旧版本报错），torchmetrics 计 0，于是每多一个这样的标签均值就低一些；"
        "pingce 不计入，并说明有多少个（`lacking=skip|zero|nan`）。平均精度在 scikit-learn 中计 0。没有标签的行在 `lrap`（1）、`label_ranking_loss`（0）与 `coverage_error`（0）中按完美计："
        "若一半的行没有标签，数值会好得惊人；`empty=skip` 不计入这些行。\n\n"
        "**同分。** 给所有标签打同样分数的模型不应得利：在 `lrap` 与 `coverage_error` 中同分的标签彼此都在对方之上，在 `label_ranking_loss` 中算错（`ties=half` 计一半，同 AUC）。"
        "torchmetrics 的 `MultilabelRankingLoss` 对同分没有确定的次序。",
    ),
    (
        ("multilabel", "f"),
        ("multilabel", "hamming"),
        ("multilabel", "exact_match"),
        ("multilabel", "coverage_error"),
        ("multilabel", "lrap"),
        ("multilabel", "label_ranking_loss"),
        ("multilabel", "auc"),
    ),
    (
        Worked(
            Text("F1 of three rows and three labels", "三行三标签的 F1"),
            Text(
                "Rows have a and c; b; a and b. From 0.5 on a and c, b, a and c are predicted.",
                "三行分别有 a 与 c、b、a 与 b；分数从 0.5 起，预测为 a 与 c、b、a 与 c。",
            ),
            asked("f(average=macro)", **_ROWS),
        ),
        Compared(
            Text("The same decisions, many numbers", "同样的判断，不同的数"),
            Text("All of them are called F1 or accuracy somewhere.", "它们在不同地方都叫 F1 或准确率。"),
            tuple(
                asked(metric, **_ROWS)
                for metric in (
                    "f(average=macro)",
                    "f(average=micro)",
                    "f(average=weighted)",
                    "f(average=samples)",
                    "jaccard(average=samples)",
                    "accuracy",
                    "exact_match",
                    "hamming",
                )
            ),
        ),
        Worked(
            Text("How far down the list", "要看到第几个"),
            Text("The two rows of scikit-learn's documentation.", "scikit-learn 文档中的两行。"),
            asked("coverage_error", **_DOCUMENTED),
        ),
        Worked(
            Text("The precision of each row's list", "每行列表的精度"),
            Text("The same two rows.", "同样的两行。"),
            asked("lrap", **_DOCUMENTED),
        ),
        Compared(
            Text("A row without labels", "没有标签的行"),
            Text("The first row has none; the second has its label last.", "第一行没有标签；第二行的标签排在最后。"),
            tuple(
                asked(metric, **_EMPTY)
                for metric in (
                    "lrap",
                    "lrap(empty=skip)",
                    "label_ranking_loss",
                    "label_ranking_loss(empty=skip)",
                    "coverage_error",
                    "coverage_error(empty=skip)",
                )
            ),
        ),
        Worked(
            Text("AUC of each label", "各标签的 AUC"),
            Text("Rows are compared within each label.", "在每个标签之内比较各行。"),
            asked("auc", **_ROWS),
        ),
    ),
)
