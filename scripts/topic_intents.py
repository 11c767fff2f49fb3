"""The topic of intents: lists for queries that mean several things."""

from __future__ import annotations

from topic_parts import Topic, Users

from pingce.base.text import Text

_TRUTH = {"q": {"d1": {"1": 1, "2": 1}, "d2": {"1": 1}, "d3": {"2": 1, "3": 1}, "d4": {"3": 1}}}
_RUN = {"q": ["d1", "x", "d2", "d3"]}
_NONE: dict[str, str] = {}

INTENTS = Topic(
    "intents",
    Text("Queries that mean several things: α-nDCG, ERR-IA, NRBP", "一词多义的查询：α-nDCG、ERR-IA、NRBP"),
    Text(
        "A query such as “jaguar” has several subtopics, and a list that serves only one of them leaves other readers with nothing. The truth then says for which subtopics "
        "an item is relevant (the second column of the qrels of TREC's diversity tasks); for recommendations write an item's categories there as its subtopics. "
        "The example: d1 serves 1 and 2, d2 serves 1, d3 serves 2 and 3, d4 serves 3; the list is d1, x, d2, d3, and α = β = 1/2.",
        "像“捷豹”这样的查询有好几个子主题，只照顾其中一个的列表，会让另一些读者一无所获。这时真值要写明条目与哪些子主题相关"
        "（即 TREC 多样性任务的 qrels 第二列）；做推荐时，可把条目的类目写作子主题。"
        "算例：d1 满足 1 和 2，d2 满足 1，d3 满足 2 和 3，d4 满足 3；列表为 d1、x、d2、d3，α = β = 1/2。",
    ),
    tuple(
        ("ranking", name)
        for name in (
            "alpha_dcg",
            "alpha_ndcg",
            "err_ia",
            "nerr_ia",
            "nrbp",
            "nnrbp",
            "p_ia",
            "ap_ia",
            "subtopic_recall",
        )
    ),
    (
        Users(
            Text("One list, nine metrics", "一个列表，九个指标"),
            Text(
                "Each time a subtopic is served again it is worth 1 − α of what it was worth before: the gains are 2, 0, 1/2 and 3/2.",
                "同一子主题每被再次满足，价值就变为之前的 1 − α：各位的增益是 2、0、1/2、3/2。",
            ),
            _TRUTH,
            _RUN,
            tuple(
                (metric, _NONE)
                for metric in (
                    *("alpha_dcg@4", "alpha_ndcg@4", "err_ia@4", "nerr_ia@4", "nrbp", "nnrbp", "p_ia@4", "ap_ia"),
                    *("subtopic_recall@1", "subtopic_recall@2", "subtopic_recall@4"),
                )
            ),
            ("alpha_ndcg@4", _NONE),
        ),
        Users(
            Text("What α does", "α 的作用"),
            Text(
                "With α = 0 serving a subtopic again is worth as much as the first time; with α = 1 it is worth nothing.",
                "α = 0 时，再次满足同一子主题与首次一样值；α = 1 时，再次满足不值任何分。",
            ),
            _TRUTH,
            _RUN,
            tuple((f"alpha_ndcg(alpha={alpha})@4", _NONE) for alpha in ("0", "0.5", "1")),
        ),
        Users(
            Text("What it is divided by", "除以什么"),
            Text(
                "α-DCG is divided by the sum that a list would have whose every item served all subtopics. At k = 1 the program ndeval forgets to divide, and other "
                "tools divide by nothing at all: other numbers for the same list.",
                "α-DCG 除以假想列表的总和：其中每个条目都满足全部子主题。k = 1 时，ndeval 程序忘了除；还有的工具根本不除：同一个列表，得到别的数。",
            ),
            _TRUTH,
            _RUN,
            tuple(
                (metric, _NONE)
                for metric in ("alpha_dcg@1", "alpha_dcg(over=ndeval)@1", "alpha_dcg@4", "alpha_dcg(over=none)@4")
            ),
        ),
    ),
    more=Text(
        "Pitfalls. Grades are relevant or not here: a subtopic has no degrees. A truth without subtopics is read as one subtopic for every query, and pingce says so. "
        "The ideal list of α-nDCG is found greedily, item by item, as ndeval does it: finding the best one is too hard, and a list may score slightly above 1. "
        "Subtopics that no judged item serves do not count. `pingce ndeval` prints what ndeval prints.",
        "常见陷阱。这里等级只分相关与否：子主题没有程度之分。没有子主题的真值按每个查询一个子主题处理，pingce 会说明。"
        "α-nDCG 的理想列表与 ndeval 一样逐位贪心得出：求最优列表太难，因此列表的得分可能略大于 1。没有任何标注条目满足的子主题不计入。"
        "`pingce ndeval` 的输出与 ndeval 一致。",
    ),
)
