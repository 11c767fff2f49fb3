"""The topic NDCG, with three figures of notes; what stands in its boxes is calculated here."""

from __future__ import annotations

from math import floor, log2

from topic_parts import Compared, Slip, Topic, Worked, asked

from pingce.base.text import Text

_FIVE, _EIGHT, _RATED = [3, 2, 3, 0, 1], [3, 2, 3, 0, 1, 2, 3, 0], [4, 5, 2, 3, 1]


def _terms(grades: list[int], logarithms: list[float] | None = None, *, exp2: bool = True) -> list[float]:
    """What each place contributes."""
    by = logarithms or [log2(rank + 1) for rank in range(1, len(grades) + 1)]
    return [(2**grade - 1 if exp2 else grade) / log for grade, log in zip(grades, by, strict=True)]


def _cut(number: float) -> float:
    """Two decimals, the rest cut off."""
    return floor(number * 100) / 100


def _sum(terms: list[float], places: int) -> str:
    return " + ".join(f"{term:.{places}f}" for term in terms)


def _early() -> Slip:
    gained, ideal = _terms(_FIVE), _terms(sorted(_FIVE, reverse=True))
    rounded, cut = [round(term, 2) for term in gained], [_cut(term) for term in ideal]
    top, below = sum(rounded), sum(cut)
    exact = f"{sum(gained):.4f} / {sum(ideal):.4f} = {sum(gained) / sum(ideal):.4f}"
    worked = (
        f"DCG = {_sum(rounded, 2)} = {top:.2f}",
        f"{_sum(cut, 2)} = {below:.2f}",
        f"{top:.2f} / {below:.2f} = {top / below:.4f}",
    )
    return Slip(
        "0.958",
        "0.9574784666413",
        Text(
            f"{exact}, which is 0.957 to three digits, not 0.958. One gets 0.958 by rounding before the division: with {worked[0]}, and the "
            f"ideal's second term {ideal[1]:.4f} cut to {cut[1]:.2f}, so that the ideal is {worked[1]}: {worked[2]}.",
            f"{exact}，取三位是 0.957，不是 0.958。除之前就取整，会得到 0.958：{worked[0]}；"
            f"理想值的第二项 {ideal[1]:.4f} 截成 {cut[1]:.2f}，于是理想值成了 {worked[1]}：{worked[2]}。",
        ),
    )


def _short_ideal() -> Slip:
    gained = sum(_terms(_EIGHT[:6], exp2=False))
    ideal = _terms(sorted(_EIGHT, reverse=True)[:6], exp2=False)
    cut = [_cut(term) for term in ideal]
    right, wrong = f"{_sum(ideal, 4)} = {sum(ideal):.4f}", f"{_sum(cut, 2)} = {sum(cut):.2f}"
    with_wrong = f"{gained:.2f} / {sum(cut):.2f} = {round(gained, 2) / sum(cut):.4f}"
    with_right = f"{gained:.4f} / {sum(ideal):.4f} = {gained / sum(ideal):.4f}"
    return Slip(
        "0.8196",
        "0.8183541904923",
        Text(
            f"The slip is in the ideal: the best six of the eight items are 3, 3, 3, 2, 2, 1, and the ideal is {right} (8.384055178438), not 8.37. "
            f"Cut each term to two decimals instead of rounding, and 8.37 appears: {wrong}. Then {with_wrong}; right is {with_right}.",
            f"错在理想值：八个条目中最好的六个是 3、3、3、2、2、1，理想值为 {right}（8.384055178438），不是 8.37。"
            f"把每一项截到两位小数（而不是四舍五入），就出现了 8.37：{wrong}。于是 {with_wrong}；正确的是 {with_right}。",
        ),
    )


def _wrong_logarithms() -> Slip:
    gained, ideal = _terms(_RATED), _terms(sorted(_RATED, reverse=True))
    logs = [log2(rank + 1) for rank in range(1, 6)]
    rounded = [[round(log, places) for log in logs] for places in (2, 1)]
    best = sorted(_RATED, reverse=True)
    two, one = (sum(_terms(_RATED, by)) / sum(_terms(best, by)) for by in rounded)
    off = [logs[0], 1.6, *logs[2:]]
    example = sum(_terms(_RATED, off))
    shown = ", ".join(f"log2 {rank + 1} = {log:.4f}" for rank, log in enumerate(logs, 1))
    dcg, below = f"DCG = {_sum(gained, 4)} = {sum(gained):.4f}", f"{_sum(ideal, 4)} = {sum(ideal):.4f}"
    right = f"{sum(gained):.4f} / {sum(ideal):.4f} = {sum(gained) / sum(ideal):.4f}"
    slipped = f"{example:.4f} / {sum(ideal):.4f} = {example / sum(ideal):.4f}"
    needed = 0.861 * sum(ideal)
    return Slip(
        "0.861",
        "0.8645478846265",
        Text(
            f"The right logarithms are {shown}. With them {dcg}, the ideal is {below}, and {right}. 0.861 asks for a DCG of "
            f"{needed:.2f}, which the right logarithms do not give, not even rounded: to two decimals they lead to {two:.4f}, to one to {one:.4f}. "
            f"So one of them is wrong. The term that decides is the second, 31 / log2 3 = {gained[1]:.4f}, about half of the whole: "
            f"with 1.6 there, for example, and the ideal as it is, {slipped}, which is 0.861 to three digits.",
            f"正确的对数是 {shown.replace(', ', '，')}。由此 {dcg}，理想值为 {below}，{right}。要得到 0.861，DCG 得是 "
            f"{needed:.2f}，而正确的对数给不出，取整也给不出：取两位小数得 {two:.4f}，取一位得 {one:.4f}。"
            f"所以是某个对数错了。起决定作用的是第二项 31 / log2 3 = {gained[1]:.4f}，约占一半："
            f"例如此处用 1.6，而理想值不变，就是 {slipped}，取三位正是 0.861。",
        ),
    )


_SIX = "ndcg(gain=linear)@6"

NDCG = Topic(
    "ndcg",
    Text("CG, DCG and NDCG", "CG、DCG 与 NDCG"),
    Text(
        "Three steps. CG adds up what the items are worth (*gain*). DCG lets the lower places count less (*discount*). NDCG divides by the best that could be "
        "had (*ideal*), so that queries can be compared. Each step has variants, and tools choose differently: gain 2^g − 1 or g, discount "
        "1 / log2(i + 1) or another, the ideal of all judged items or only of those returned. Below: `gain=exp2`, `discount=log2`, `ideal=judged` unless it says otherwise.",
        "分三步。CG 把各条目的价值（增益）加起来；DCG 让靠后的位置打折（折损）；NDCG 再除以可能得到的最好值（理想值），这样不同查询才可比。"
        "每一步都有几种写法，各工具的选择不同：增益用 2^g − 1 还是 g，折损用 1 / log2(i + 1) 还是别的，理想值取全部已标注条目还是只取返回的条目。"
        "下文若无说明，均为 `gain=exp2`、`discount=log2`、`ideal=judged`。",
    ),
    (("ranking", "cg"), ("ranking", "dcg"), ("ranking", "ndcg")),
    (
        Worked(
            Text("Grades 3, 2, 3, 0, 1", "等级 3、2、3、0、1"),
            Text(
                "The table is the list from the top; below it, the best order of the same items.",
                "表中从第 1 位往下；其后是同样条目的最好顺序。",
            ),
            asked("ndcg@5", grades=_FIVE),
        ),
        Compared(
            Text("From CG to NDCG, and with the other gain", "从 CG 到 NDCG，以及换一种增益"),
            Text("The same five grades.", "同样的五个等级。"),
            tuple(asked(metric, grades=_FIVE) for metric in ("cg@5", "dcg@5", "ndcg@5", "ndcg(gain=linear)@5")),
        ),
        Compared(
            Text("What a place costs", "位置的代价"),
            Text(
                "One item of grade 3, at rank 1, 2 and 3: 7, 7 / log2 3, 7 / 2.",
                "一个等级 3 的条目，放在第 1、2、3 位：7、7 / log2 3、7 / 2。",
            ),
            (asked("dcg@3", grades=[3]), asked("dcg@3", grades=[0, 3]), asked("dcg@3", grades=[0, 0, 3])),
        ),
        Worked(
            Text("Eight items, cut at 6, linear gain", "八个条目，截到第 6 位，线性增益"),
            Text(
                "The third item of grade 3 stands at rank 7: it is cut from the list, not from the ideal.",
                "第三个等级 3 的条目在第 7 位：列表里截掉了，理想列表里还在。",
            ),
            asked(_SIX, grades=_EIGHT),
        ),
        Compared(
            Text("The same list, another ideal or gain", "同一个列表，换理想值或增益"),
            Text(
                "`ideal=topk` sorts only the six that are shown, and hides that a better one stood below.",
                "`ideal=topk` 只把显示的六个重排，下面还有更好的也看不出来。",
            ),
            tuple(
                asked(metric, grades=_EIGHT)
                for metric in (_SIX, "ndcg(gain=linear,ideal=list)@6", "ndcg(gain=linear,ideal=topk)@6", "ndcg@6")
            ),
        ),
        Worked(
            Text("Ratings 4, 5, 2, 3, 1", "评分 4、5、2、3、1"),
            Text("With 2^g − 1 a 5 gains 31, a 4 only 15.", "用 2^g − 1 时，5 分的增益是 31，4 分只有 15。"),
            asked("ndcg@5", grades=_RATED),
        ),
    ),
    (_early(), _short_ideal(), _wrong_logarithms()),
)
