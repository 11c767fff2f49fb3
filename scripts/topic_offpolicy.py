"""The topic of off-policy values: what another policy would have earned, and when not to believe it."""

from __future__ import annotations

from topic_parts import Compared, Topic, Worked, asked

from pingce.base.text import Text

_LOG = {"true": [1, 0, 1, 0], "pred": [0.6, 0.1, 0.5, 0.2], "propensity": [0.5, 0.25, 0.1, 0.5]}
_MODEL = _LOG | {"logged_estimate": [0.5, 0.2, 0.4, 0.1], "target_estimate": [0.5, 0.3, 0.5, 0.2]}

OFFPOLICY = Topic(
    "off-policy",
    Text("Off-policy values: what would another policy have earned?", "离线策略评估：换一个策略会得到多少？"),
    Text(
        "A log has the rewards of what one policy chose: clicks on the banners that were shown. What would a new policy have earned? Where the old one chose at random, and wrote down with which probability "
        "(`propensity`), rewards can be weighted by how much more often the new one would have done the same: w = target propensity / logging propensity. `ips` is the mean of w·r, `snips` Σ w·r / Σ w. With a model of the reward "
        "`dm` is what the model expects of the new policy, and `dr` puts that right by the errors that the log shows: mean (v̂ + w (r − q̂)), where q̂ is the model's estimate of what was logged (`logged_estimate`) and v̂ its mean over all actions by the "
        "probabilities of the new policy (`target_estimate`). Large weights can be tamed in one of four ways: `clip=c` takes min(w, c), `switch=t` leaves rows above t to the model, `shrink=λ` takes λw/(w² + λ), `smooth=λ` w/(1 − λ + λw).\n\n"
        "`pingce eval log.parquet --true click --pred p_new --propensity p_old --ci 0.95 --explain-numbers` gives the value of the log, ips, snips, the effective sample size and the largest weight, with intervals and a verdict in words; "
        "`--logged-estimate` and `--target-estimate` add dm and dr. `pc.compare` and `pingce compare` test two policies on the same log. Streams, batches and Spark add up exact sums: the bits are the same.\n\n"
        "**When not to believe it.** `ess` = (Σ w)²/Σ w² says how many rows of the new policy's own would say as much: below 30, or where one row has more than a fifth of all weight, pingce says that values and intervals are worth nothing; "
        "below 300 that they are rough. `mean_weight` must be 1 but for chance: if its interval does not hold 1, propensities are wrong, rows are missing, or the new policy does what the log never has, and no weighting can see that. "
        "An interval knows of none of this: it is made of the rows there are, and of a row that was never drawn it cannot know.\n\n"
        "**Slips of popular tools.** *ips above 1 for clicks*: on the four rows below it is 1.55, and Open Bandit Pipeline prints it without a word; snips is 0.886. *An interval around a certain value*: its interval of SNIPW draws rows that are already "
        "divided by the mean weight; of 10,000 rows whose rewards are all 1 it says 0.975 to 1.022 where the value is 1 for certain. *lambda_ that is ignored*: its SNIPW and SNDR take lambda_ and do not clip. "
        "*A replay that is 0*: where no row agrees it says 0, not undefined. *A propensity that nobody measured*: Jurity takes 1/n_items where no propensity is given, without a word, and so reports the value as if the log were even, whatever it was; pingce asks for the column. "
        '`convention="obp"` takes its names and gives its numbers.',
        "日志里有某个策略所选动作的回报，例如所展示广告的点击。换一个新策略会得到多少？如果旧策略是随机选择的，并记下了概率（`propensity`），就可以按新策略选中同一动作的可能性对回报加权：w = 目标策略概率 / 日志策略概率。"
        "`ips` 是 w·r 的均值，`snips` 是 Σ w·r / Σ w。有回报模型时，`dm` 是模型对新策略的预估，`dr` 再用日志中看到的误差纠正它：mean (v̂ + w (r − q̂))，其中 q̂ 是模型对所记录动作的预估（`logged_estimate`），"
        "v̂ 是按新策略的概率对所有动作求均值（`target_estimate`）。大权重有四种处理方式，任选其一：`clip=c` 取 min(w, c)，`switch=t` 让超过 t 的行只用模型，`shrink=λ` 取 λw/(w² + λ)，`smooth=λ` 取 w/(1 − λ + λw)。\n\n"
        "`pingce eval log.parquet --true click --pred p_new --propensity p_old --ci 0.95 --explain-numbers` 给出日志的平均回报、ips、snips、有效样本量与最大权重，附区间与文字结论；加 `--logged-estimate` 与 `--target-estimate` 则有 dm 与 dr。"
        "`pc.compare` 与 `pingce compare` 在同一日志上检验两个策略。流式、分批与 Spark 都累加精确的和：结果逐位相同。\n\n"
        "**什么时候不要相信。** `ess` = (Σ w)²/Σ w² 表示加权后相当于新策略自己的多少行：不足 30，或单独一行占全部权重的五分之一以上时，pingce 会说这些值及其区间不可信；不足 300 时则较粗。"
        "`mean_weight` 除随机波动外应为 1：区间不含 1，说明倾向概率有误、缺少某些行，或新策略会选日志中从未出现的动作，而任何加权都看不到这一点。区间对此一无所知：它只由现有的行得出，从未抽到的行无从知晓。\n\n"
        "**常用工具的疏漏。** *点击率的 ips 大于 1*：下面四行为 1.55，Open Bandit Pipeline 照样打印而不作声；snips 为 0.886。*必然的值也有区间*：它的 SNIPW 区间对已除以平均权重的行抽样；10,000 行回报全为 1、结果必为 1 时，"
        "它给出 0.975 到 1.022。*不起作用的 lambda_*：它的 SNIPW 与 SNDR 接受 lambda_，却不截断。*为 0 的回放*：没有一致的行时它给出 0，而不是没有定义。"
        "*无人测得的倾向概率*：没有倾向概率时，Jurity 不作声地取 1/n_items，无论日志如何都当作均匀；pingce 会要求给出该列。"
        '`convention="obp"` 采用它的名称并给出它的数值。',
    ),
    tuple(("offpolicy", name) for name in ("ips", "snips", "dr", "dm", "ess", "max_weight", "mean_weight")),
    (
        Worked(
            Text("Four rows: ips", "四行数据的 ips"),
            Text("Weights 1.2, 0.4, 5 and 0.4: one row decides.", "权重 1.2、0.4、5、0.4：一行决定结果。"),
            asked("ips", **_LOG),
        ),
        Worked(
            Text("Doubly robust", "双重稳健"),
            Text(
                "The model's mean is 0.375; the weighted errors of the log add 0.87.",
                "模型的均值为 0.375；日志中加权的误差再加 0.87。",
            ),
            asked("dr", **_MODEL),
        ),
        Worked(
            Text("How many rows are left", "还剩多少行"),
            Text("Four rows say as much as fewer than two.", "四行还不如两行。"),
            asked("ess", **_LOG),
        ),
        Compared(
            Text("The same log by every estimator", "同一日志，各种估计"),
            Text("Of rewards 0 and 1; the log itself earned 0.5.", "回报为 0 与 1；日志本身为 0.5。"),
            tuple(
                asked(metric, **_LOG)
                for metric in ("ips", "snips", "ips(clip=2)", "max_weight", "max_weight(as=share)", "mean_weight")
            )
            + tuple(asked(metric, **_MODEL) for metric in ("dm", "dr", "sndr", "dr(switch=2)", "dr(shrink=1)")),
        ),
    ),
)
