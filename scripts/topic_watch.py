"""The topic of watch time: order and size of predicted numbers."""

from __future__ import annotations

from topic_parts import Compared, Topic, Worked, asked

from pingce.base.text import Text

_FOUR = {"true": [1, 3, 3, 5], "pred": [0.2, 0.4, 0.6, 0.6]}
_USERS = {"true": [1, 3, 3, 5, 10, 20], "pred": [0.2, 0.4, 0.6, 0.6, 2, 1], "group": [*"uuuuvv"]}
_VALUE = {"true": [0, 0, 10, 90, 5], "pred": [1, 2, 20, 40, 30]}
_SIZES = {"true": [10, 20, 30, 60], "pred": [12, 18, 33, 50]}

WATCH_TIME = Topic(
    "watch-time",
    Text("Watch time: XAUC, XGAUC and the sizes beside them", "观看时长：XAUC、XGAUC 与数值大小"),
    Text(
        "A feed is ordered by predicted watch time, and budgets are made of its sum: the order must be right, and the size. XAUC looks at the order of pairs and ignores sizes, MAE and the ratio of "
        "totals look at sizes and ignore the order, as AUC and LogLoss do for clicks. `scores.diagnosis` reads both apart: it says whether the model orders well, and by how much the largest and the "
        "smallest tenth of the truth are over- or under-estimated. Where the order is good and the sizes are not, recalibrate.",
        "信息流按预估时长排序，预算又取决于时长总和：次序要对，大小也要对。XAUC 看样本对的次序、不看大小；MAE 与总量比看大小、不看次序，就像点击预估中的 AUC 与 LogLoss。"
        "`scores.diagnosis` 把两者分开读：模型排序好不好，真值最大与最小的一段分别被高估或低估多少。次序好而大小不准时，请校准。",
    ),
    (("regression", "xauc"), ("regression", "xgauc"), ("regression", "normalized_gini"), ("regression", "total_ratio")),
    (
        Worked(
            Text("Four videos, six pairs", "四个视频，六个样本对"),
            Text(
                "Two videos were watched equally long: that pair does not count. Two have the same prediction: half a point.",
                "有两个视频观看时长相同：这一对不计。有两个预测相同：记半分。",
            ),
            asked("xauc", **_FOUR),
        ),
        Compared(
            Text("Seven conventions, from 0.667 to 1", "七种算法，从 0.667 到 1"),
            Text(
                "Of the same four rows lifelines and survival analysis say 0.9 (the default here: for labels 0 and 1 it is AUC), the ordered pair accuracy of TF-Ranking 0.8, XAUC of TorchRec and of TorchEasyRec "
                "0.667, RAUC of TorchRec 1, Kendall's τ_b 0.8; the script of TPM (Kuaishou) gives 0.667 or 0.833, by the order of the rows. TorchRec compares the rows of one batch only, and TorchEasyRec draws 0.1 % of "
                "the pairs without a seed. Dividing by all pairs costs a perfect model points wherever watch times are equal, as whole seconds are.",
                "同样四行：lifelines 与生存分析给出 0.9（此处的默认；标签为 0、1 时即 AUC），TF-Ranking 的有序对准确率 0.8，TorchRec 与 TorchEasyRec 的 XAUC 0.667，TorchRec 的 RAUC 1，"
                "肯德尔 τ_b 0.8；TPM（快手）的脚本得 0.667 或 0.833，取决于行的先后。TorchRec 只比较同一批次内的行，TorchEasyRec 不设种子地随机抽取 0.1 % 的样本对。"
                "除以全部样本对时，只要有相同的时长（例如整秒），完美的模型也会失分。",
            ),
            tuple(
                asked(metric, **_FOUR)
                for metric in (
                    "xauc",
                    "xauc(tied=wrong)",
                    "xauc(pairs=all,tied=wrong,both=right)",
                    "xauc(pairs=all,tied=wrong)",
                    "xauc(pairs=all,tied=right,both=right,level=right)",
                    "kendall",
                )
            ),
        ),
        Worked(
            Text("Within each user: XGAUC", "每个用户内部：XGAUC"),
            Text(
                "XAUC also compares rows of different users, which no list does. v has two videos, in the wrong order.",
                "XAUC 也会比较不同用户的行，而线上的列表从不这样排。v 有两个视频，次序相反。",
            ),
            asked("xgauc", **_USERS),
        ),
        Compared(
            Text("Three weightings", "三种加权"),
            Text("By rows, every user alike, by pairs.", "按行数、各用户一样重、按样本对。"),
            tuple(asked(f"xgauc(by={by})", **_USERS) for by in ("rows", "uniform", "pairs")),
        ),
        Worked(
            Text("Value: who brings most stands first", "价值：贡献最大的排在最前"),
            Text(
                "Of five users one brings 90 of 105. Equal predictions count as all their orders do on average; many scripts go by the order of rows.",
                "五个用户中一个贡献了 105 中的 90。预测相等时取各种次序的平均；许多脚本则按行的先后。",
            ),
            asked("normalized_gini", **_VALUE),
        ),
        Compared(
            Text("Sizes", "大小"),
            Text(
                "The same errors beside the mean, the range, the standard deviation and the norm of the truth: say which NRMSE it is.",
                "同样的误差，分别除以真值的平均、极差、标准差与范数：报告 NRMSE 时请写明是哪一种。",
            ),
            tuple(
                asked(metric, **_SIZES)
                for metric in (
                    "total_ratio",
                    "mean_error",
                    "nrmse",
                    "nrmse(by=range)",
                    "nrmse(by=std)",
                    "nrmse(by=norm)",
                    "pinball(alpha=0.9)",
                )
            ),
        ),
    ),
)
