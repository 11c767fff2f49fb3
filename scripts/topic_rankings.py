"""Topics of rankings and recommendations."""

from __future__ import annotations

from topic_ndcg import NDCG
from topic_parts import Compared, Slip, Topic, Users, Worked, asked, per_user

from pingce.base.text import Text

_RATED = [4, 5, 2, 3, 1]
_FILMS = {"grades": [1, 0, 1, 0, 0, 0, 1, 0, 0, 1], "judged": [1] * 10}
_SONGS = {"grades": [1, 1, 0, 1, 0, 0, 0, 1, 0, 0]}

PRECISION_RECALL = Topic(
    "precision-recall",
    Text("Precision and recall", "精确率与召回率"),
    Text(
        "Precision asks how much of what was given is right, recall how much of what should be found was found. Of a ranking, both "
        "divide the same hits: by k, or by the R relevant items. Work on recall first where candidates are fetched, on precision "
        "where only a few places are shown.",
        "精确率（查准率）看给出的有多少是对的，召回率（查全率）看该找的找回了多少。对排序来说，两者的分子都是前 k 个里的命中数，"
        "只是分母不同：一个除以 k，一个除以相关条目总数 R。召回阶段先看召回率；展示位有限时，再看精确率。",
    ),
    (("ranking", "precision"), ("ranking", "recall"), ("binary", "precision"), ("binary", "recall")),
    (
        Worked(
            Text("Five ratings, relevant from 3 on", "五个评分，3 分起算相关"),
            Text(
                "Ratings 4, 5, 2, 3, 1 in ranked order. The cut between relevant and not is part of the definition: `--relevant 3`.",
                "按名次的评分是 4、5、2、3、1。从几分起算相关，是定义的一部分：`--relevant 3`。",
            ),
            asked("precision@5", grades=_RATED, relevant=3),
        ),
        Worked(
            Text("10 films liked, 4 of them in the top 10", "喜欢的电影有 10 部，前 10 个里有 4 部"),
            Text(
                "The films that were not returned count in R: `--judged` names the grades of all judged films.",
                "没有返回的电影也算在 R 里：用 `--judged` 写出全部已标注电影的等级。",
            ),
            asked("recall@10", **_FILMS),
        ),
        Compared(
            Text("The same list at two depths", "同一个列表，两个截断位置"),
            Text(
                "Two films among the first 5, four among the first 10: recall doubles, precision stays.",
                "前 5 个里有 2 部，前 10 个里有 4 部：召回率翻倍，精确率不变。",
            ),
            tuple(asked(metric, **_FILMS) for metric in ("recall@5", "recall@10", "precision@5", "precision@10")),
        ),
        Compared(
            Text("Songs: three of the first 5, four of the first 10", "歌曲：前 5 首中 3 首喜欢，前 10 首中 4 首"),
            Text("Precision falls as the list goes on.", "列表越往后，精确率越低。"),
            (asked("precision@5", **_SONGS), asked("precision@10", **_SONGS)),
        ),
    ),
    (
        Slip(
            "0.8",
            "3/5",
            Text(
                "Ratings 4, 5, 2, 3, 1 with `relevant=3`: the ratings 4, 5 and 3, at ranks 1, 2 and 4, reach 3, and 3 / 5 = 0.6. The slip is in the "
                "count: 4 / 5 = 0.8 needs four relevant items, which is so only if the rating 2 at rank 3 counts too (`relevant=2`). "
                "P@3 is 2 / 3 = 0.6667 for the same reason.",
                "评分 4、5、2、3、1，`relevant=3`：达到 3 分的是 4、5、3，在第 1、2、4 位，3 / 5 = 0.6。错在计数："
                "4 / 5 = 0.8 需要四个相关条目，只有把第 3 位的 2 分也算进去（`relevant=2`）才成立。"
                "同理，P@3 是 2 / 3 = 0.6667。",
            ),
        ),
    ),
    Text(
        "One word for two things: the accuracy@K of many Chinese notes is precision@k. Accuracy also counts what was rightly left out; precision does not.",
        "一个词两种意思：许多笔记里的“准确率@K”其实是精确率 precision@k。准确率 accuracy 还要算上“该排除的排除了”，精确率不算。",
    ),
)

_HITS_TRUTH, _HITS_RUN = {"u1": [2], "u2": [3, 4], "u3": [4, 7]}, {"u1": [1, 2, 5], "u2": [1, 5, 6], "u3": [3, 7, 9]}
_OWNED, _FOUND = {"u1": 10, "u2": 12, "u3": 8}, {"u1": 6, "u2": 5, "u3": 4}
_OWN_TRUTH = {user: list(range(1, own + 1)) for user, own in _OWNED.items()}
_OWN_RUN = {user: [*range(1, found + 1), *range(101, 111 - found)] for user, found in _FOUND.items()}
_ONE = {"grades": [0, 0, 1, 0, 0]}

HIT_RATE = Topic(
    "hit-rate",
    Text("Hit rate", "命中率"),
    Text(
        "The hit rate asks one thing of each user: is there at least one relevant item among the first k? Its mean is the share of users "
        "who got something. Some papers pool instead: all hits over all relevant items. Same name, another number.",
        "命中率对每个用户只问一件事：前 k 个里有没有至少一个相关的？取平均，就是“有收获”的用户占多少。"
        "也有论文把所有用户合在一起算：总命中数除以总相关数。名字一样，数字不同。",
    ),
    (("ranking", "hit_rate"),),
    (
        Worked(
            Text("One user: the second of three is right", "一个用户：三个里第二个是对的"),
            Text("", ""),
            asked("hit_rate@3", grades=[0, 1, 0]),
        ),
        Users(
            Text("Three users, top 3", "三个用户，前 3 个"),
            Text(
                "Users 1 and 3 find one of theirs, user 2 nothing: 2 / 3.",
                "用户 1、3 各找到一个，用户 2 一个也没有：2 / 3。",
            ),
            _HITS_TRUTH,
            _HITS_RUN,
            (("hit_rate@3", {}),),
        ),
        Users(
            Text("Per user, or pooled", "按用户算，还是合在一起算"),
            Text(
                "The users own 10, 12 and 8 items; the top 10 finds 6, 5 and 4. Every user has a hit: 1. Pooled: 15 / 30 = 0.5.",
                "三个用户各有 10、12、8 个相关条目，前 10 个里找到 6、5、4 个。每人都有命中：1。合在一起：15 / 30 = 0.5。",
            ),
            _OWN_TRUTH,
            _OWN_RUN,
            (("hit_rate@10", {}), ("hit_rate(mode=micro)@10", {})),
        ),
        Compared(
            Text("One relevant item a user", "每个用户只有一个相关条目"),
            Text(
                "Leave-one-out tests have R = 1. Then recall@k equals the hit rate, and ap@k equals rr@k: four names, two numbers.",
                "留一法评测里 R = 1。这时 recall@k 就是命中率，ap@k 就是 rr@k：四个名字，两个数。",
            ),
            tuple(asked(metric, **_ONE) for metric in ("hit_rate@5", "recall@5", "rr@5", "ap@5")),
        ),
    ),
)

_FIRST_TRUTH, _FIRST_RUN = per_user(a=[1, 0, 0, 0, 0], b=[0, 1, 0, 0, 0], c=[0, 0, 0, 0, 1], d=[0, 0, 0, 0, 0, 1])
_THREE_TRUTH, _THREE_RUN = per_user(a=[0, 0, 1], b=[0, 1, 0], c=[1, 0, 0])

MRR = Topic(
    "mrr",
    Text("Reciprocal rank: MRR", "倒数排名：MRR"),
    Text(
        "Where does the first right answer stand? Rank 1 is worth 1, rank 2 a half, rank 5 a fifth; nothing found, nothing. The mean over "
        "queries is MRR. It fits questions with one answer: navigation, question answering, the next item.",
        "第一个对的排在第几？第 1 位值 1，第 2 位值一半，第 5 位值五分之一，没找到就是 0。对查询取平均即 MRR。"
        "适合只要一个答案的场景：导航搜索、问答、下一个点击。",
    ),
    (("ranking", "rr"),),
    (
        Worked(Text("First hit at rank 3", "第一个命中在第 3 位"), Text("", ""), asked("rr", grades=[0, 0, 1])),
        Users(
            Text("Four queries, top 5", "四个查询，前 5 个"),
            Text(
                "First hits at ranks 1, 2 and 5; the fourth query has its answer at rank 6, beyond the cut: (1 + 0.5 + 0.2 + 0) / 4 = 0.425.",
                "第一个命中在第 1、2、5 位；第四个查询的答案在第 6 位，被截掉了：(1 + 0.5 + 0.2 + 0) / 4 = 0.425。",
            ),
            _FIRST_TRUTH,
            _FIRST_RUN,
            (("rr@5", {}),),
        ),
        Users(
            Text("Three queries, first hits at 3, 2, 1", "三个查询，第一个命中在第 3、2、1 位"),
            Text("(1/3 + 1/2 + 1) / 3 = 11/18.", "(1/3 + 1/2 + 1) / 3 = 11/18。"),
            _THREE_TRUTH,
            _THREE_RUN,
            (("rr", {}),),
        ),
    ),
    more=Text(
        "Read MRR@10 beside Recall@1000. Not returned at all: work on the recall stage. Returned, but low: work on the ranking stage. "
        "`scores.diagnosis` says which of the two it is, and for how many queries.",
        "MRR@10 要和 Recall@1000 一起看。压根没返回：改召回阶段；返回了但排得低：改排序阶段。"
        "`scores.diagnosis` 会说明属于哪一种，各有多少查询。",
    ),
)

_NORM = {"a": [1, 0, 0, 1, 0, 1], "b": [0, 1, 0, 0, 1, 0], "c": [1, 1, 0, 1, 0, 0]}
_NORM_TRUTH, _NORM_RUN = per_user(**_NORM)
_FIRST, _SECOND = [1, 1, 0, 1, 0, 0, 1], [1, 0, 1, 0, 1]
_MAP_TRUTH, _MAP_RUN = per_user(a=_FIRST, b=_SECOND)
_EARLY, _LATE = {"grades": [1, 1, 0, 0, 0], "judged": [1, 1, 1]}, {"grades": [0, 0, 0, 1, 1], "judged": [1, 1, 1]}
_SPREAD, _TOP = {"grades": [1, 0, 0, 1, 0, 1]}, {"grades": [1, 1, 1, 0, 0, 0]}

MAP = Topic(
    "map",
    Text("Average precision: MAP", "平均精度：MAP"),
    Text(
        "AP stops at every hit, takes the precision there, and adds up. What it divides by is where tools part: all relevant items R (here and in "
        "trec_eval), the hits found, or min(R, k). MAP is its mean over queries.",
        "AP 在每个命中处停一下，取此处的精确率，全部加起来。除以什么，各家不同：相关条目总数 R（pingce 与 trec_eval）、"
        "找到的命中数，或 min(R, k)。对查询取平均就是 MAP。",
    ),
    (("ranking", "ap"),),
    (
        Worked(
            Text("Relevant at ranks 1, 2, 4, 7", "相关条目在第 1、2、4、7 位"),
            Text("R = 4, all found: 93/112.", "R = 4，全部找到：93/112。"),
            asked("ap", grades=_FIRST),
        ),
        Worked(
            Text("Relevant at ranks 1, 3, 5", "相关条目在第 1、3、5 位"),
            Text("R = 3, all found: 34/45.", "R = 3，全部找到：34/45。"),
            asked("ap", grades=_SECOND),
        ),
        Users(
            Text("The two users together", "两个用户合起来"),
            Text("(93/112 + 34/45) / 2 = 7993/10080.", "(93/112 + 34/45) / 2 = 7993/10080。"),
            _MAP_TRUTH,
            _MAP_RUN,
            (("map", {}),),
        ),
        Compared(
            Text("The order counts", "顺序有差别"),
            Text(
                "Two of three relevant items are found, at the top or at the end. Precision@5 is 2/5 both times; AP is not the same. "
                "`norm=hits` forgets the third item.",
                "三个相关条目找到了两个，一次排在最前，一次排在最后。precision@5 都是 2/5，AP 却不同。`norm=hits` 会忘掉第三个。",
            ),
            tuple(
                asked(metric, **given) for metric in ("precision@5", "ap", "ap(norm=hits)") for given in (_EARLY, _LATE)
            ),
        ),
        Compared(
            Text("Equal precision, unequal AP", "精确率相同，AP 不同"),
            Text(
                "Three hits among six places, spread out or all on top.", "六个位置三个命中，一个分散，一个全在最前。"
            ),
            tuple(asked(metric, **given) for metric in ("precision@6", "ap(norm=hits)@6") for given in (_SPREAD, _TOP)),
        ),
        Users(
            Text("Three users, divided by the hits", "三个用户，除以命中数"),
            Text(
                "Hits at 1, 4, 6; at 2, 5; at 1, 2, 4: 2/3, 9/20, 11/12; their mean is 61/90.",
                "命中在第 1、4、6 位，第 2、5 位，第 1、2、4 位：2/3、9/20、11/12，平均 61/90。",
            ),
            _NORM_TRUTH,
            _NORM_RUN,
            (("ap(norm=hits)@6", {}),),
        ),
    ),
    (
        Slip(
            "0.79",
            "7993/10080 = 0.792956",
            Text(
                "Nothing is wrong with the calculation: (0.830357 + 0.755556) / 2 = 0.792956. It was rounded to two digits, and two models that differ "
                "in the third can no longer be told apart. Keep the digits until the last line.",
                "算法没有错：(0.830357 + 0.755556) / 2 = 0.792956。只是取成了两位小数，第三位上有差别的两个模型就分不出来了。"
                "位数留到最后一行再取。",
            ),
        ),
    ),
)

RANKING_TOPICS = (PRECISION_RECALL, HIT_RATE, MRR, MAP, NDCG)
