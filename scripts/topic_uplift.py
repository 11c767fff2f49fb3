"""The topic of uplift: whom a treatment helps, and two libraries whose same-named scores differ in sign."""

from __future__ import annotations

from topic_parts import Compared, Topic, Worked, asked

from pingce.base.text import Text

_TRIAL = {
    "labels": [1, 1, 0, 1, 0, 0, 1, 0],
    "scores": [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
    "treatment": [1, 0, 1, 1, 0, 0, 1, 0],
}
_TIED = _TRIAL | {"scores": [3, 3, 2, 2, 2, 1, 1, 0]}

UPLIFT = Topic(
    "uplift",
    Text("Uplift: whom does a treatment help?", "增益模型：干预对谁有效？"),
    Text(
        "A coupon, a push or a call is worth sending to those who buy because of it, not to those who buy anyway. No row shows both outcomes, so that uplift is measured "
        "between two arms of a trial: rows that were treated and rows that were not. By descending score count, so far, N_t treated and N_c control rows with outcomes Y_t and Y_c. "
        "The uplift curve is V = (Y_t/N_t − Y_c/N_c)(N_t + N_c), the Qini curve Q = Y_t − Y_c·N_t/N_c; rows of one score are one step. "
        "`auuc` and `qini` are the areas under them above a random order, as a share of what the best order has; `uplift@p` is the effect among the top share, "
        "and `uplift` the average effect. `pingce eval trial.parquet --label buy --score tau --treatment treated --ci 0.95` gives all of them with intervals drawn within each arm, and the effect by tenths; "
        "`--propensity COLUMN` where rows were not treated with one probability. Outcomes may be amounts; only `auuc(norm=perfect)` needs 0 and 1. `pingce curve qini trial.parquet --label buy --score tau --treatment treated -o qini.svg` draws the Qini curve beside that of the best order and of a random one, `pingce curve uplift` the uplift curve; without `-o` the points are a table. Of files larger than `--memory` the distinct rows are kept: too many of them are refused, rounded scores are not.\n\n"
        "**The same name, another number.** On the eight rows below scikit-uplift calls the AUUC −0.82 and CausalML 0.19; the Qini scores are −0.44 and −0.32. Nothing is wrong with the data: one divides by the area of the best order and takes "
        "a random order off, the other takes the mean of all points over the height of the end, and starts where both arms have rows. So CausalML's numbers may exceed 1, and are NaN where the average effect is 0. "
        "It also sorts rows of equal scores in no fixed order: the same predictions give several numbers. scikit-uplift takes `uplift_at_k` of 50 % overall or by group: −1/3 or 0 on these rows. "
        '`convention="scikit_uplift"` and `convention="causalml"` give either tool\'s number.',
        "优惠券、推送、外呼，应当发给因此才购买的人，而不是本来就会购买的人。同一行不可能同时看到两种结果，所以增益只能在实验的两组之间衡量：干预组与对照组。"
        "按分数从高到低，记到目前为止干预组 N_t 行、对照组 N_c 行，其结果之和为 Y_t 与 Y_c。增益曲线为 V = (Y_t/N_t − Y_c/N_c)(N_t + N_c)，Qini 曲线为 Q = Y_t − Y_c·N_t/N_c；同分的行算作一步。"
        "`auuc` 与 `qini` 是两条曲线高出随机排序的面积，占最佳排序高出部分的比例；`uplift@p` 是得分最高的一部分中的效果，`uplift` 是平均效果。"
        "`pingce eval trial.parquet --label buy --score tau --treatment treated --ci 0.95` 一次给出全部指标、在两组内分别抽样的区间，以及各十分位的效果；各行被干预的概率不同时，用 `--propensity 列名`。"
        "结果也可以是金额；只有 `auuc(norm=perfect)` 要求 0 与 1。`pingce curve qini trial.parquet --label buy --score tau --treatment treated -o qini.svg` 画出 Qini 曲线，并与最佳排序、随机排序对照；`pingce curve uplift` 画增益曲线；不加 `-o` 则以表格列出各点。文件超过 `--memory` 时只保留不同的行：种类过多会报错，舍入后的分数则没有问题。\n\n"
        "**名称相同，数值不同。** 下面八行数据的 AUUC，scikit-uplift 给出 −0.82，CausalML 给出 0.19；Qini 分别为 −0.44 与 −0.32。数据没有问题：前者减去随机排序，再除以最佳排序的面积；"
        "后者取各点均值，除以终点的高度，且从两组都有样本处开始。因此 CausalML 的数值可能超过 1，平均效果为 0 时则为 NaN。它对同分的行排序不固定：同样的预测会得到好几个数值。"
        'scikit-uplift 的 `uplift_at_k` 取 50 % 时，统一排序与分组排序分别为 −1/3 与 0。`convention="scikit_uplift"` 与 `convention="causalml"` 可得到任一工具的数值。',
    ),
    (("uplift", "uplift"), ("uplift", "qini"), ("uplift", "auuc")),
    (
        Worked(
            Text("The Qini coefficient of eight rows", "八行数据的 Qini 系数"),
            Text(
                "Outcomes 1, 1, 0, 1, 0, 0, 1, 0; treated 1, 0, 1, 1, 0, 0, 1, 0.",
                "结果 1、1、0、1、0、0、1、0；干预 1、0、1、1、0、0、1、0。",
            ),
            asked("qini", **_TRIAL),
        ),
        Worked(
            Text("The effect among the top half", "得分较高的一半中的效果"),
            Text(
                "2 of 3 treated rows respond, and the only control row.",
                "干预组 3 行中 2 行响应，对照组仅有的 1 行也响应。",
            ),
            asked("uplift@0.5", **_TRIAL),
        ),
        Compared(
            Text("What tools call AUUC and Qini", "各工具所说的 AUUC 与 Qini"),
            Text(
                "The same rows: scikit-uplift's, then CausalML's.",
                "同样的数据：先是 scikit-uplift 的，再是 CausalML 的。",
            ),
            tuple(
                asked(metric, **_TRIAL)
                for metric in (
                    "auuc",
                    "auuc(norm=end,area=mean,empty=interpolate)",
                    "qini",
                    "qini(norm=end,area=mean,empty=interpolate)",
                    "uplift@0.5",
                    "uplift(by=arm)@0.5",
                )
            ),
        ),
        Worked(
            Text("Equal scores are one step", "同分算作一步"),
            Text("However such rows are ordered, the number stays.", "同分的行无论如何排列，数值不变。"),
            asked("auuc", **_TIED),
        ),
    ),
)
