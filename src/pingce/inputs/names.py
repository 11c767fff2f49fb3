"""Which column plays which role: by the names people use for the columns of rankings and of predictions, or by what the caller says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import ITEM_WEIGHT, ROLE_NAMES, Role, Wanted

QUERY = ("query_id", "qid", "query", "user_id", "user", "uid", "userID", "q_id", "query-id", "query text")
ITEM = ("doc_id", "docno", "docid", "item_id", "item", "iid", "itemID", "corpus-id", "pid", "doc id")
LABEL = ("label", "click", "clicked", "is_click", "y_true", "y", "target", "ground_truth", "true")
GRADE = ("relevance", "rel", "label", "grade", "rating", "relevant", "is_relevant", *LABEL[1:], "weight", "score")
_PROBABILITY = ("pctr", "prob", "probability", "y_score", "p_ctr", "pred_score")
PREDICTED_SCORE = ("score", *_PROBABILITY, "prediction", "pred", "p", "logit", "logits")
PREDICTED_VALUE = ("pred", "prediction", "predicted", "y_pred", "yhat", "y_hat")
"Of tables of predictions: labels, scores, and classes or numbers."
SCORE = tuple(dict.fromkeys(("score", "prediction", *PREDICTED_SCORE, *PREDICTED_VALUE, "rating")))
POSITION = "doc position"
"Of Quepid's snapshots: it is the order, and a score or a rating beside it is one that somebody gave."
RANK = ("rank", POSITION)
GIVEN_ORDER = "order"
"Said instead of the column of ranks: the rows of a query are in their order."
SUBTOPIC = ("subtopic", "subtopic_id", "intent", "intent_id", "aspect", "aspect_id", "iteration")
"Looked for where a metric asks for subtopics; else a column plays this part only if the caller says so."
NO_GRADE = "none"
"Said instead of the column of grades: every row is relevant alike."
WEIGHT = ("weight", "query_weight", "w")
CATEGORY = ("category", "categories", "genre", "genres", "cate", "topic")
GROUP = ("group", "group_id", "item_group")
VECTOR = ("vector", "embedding", "emb", "features")
"Of a table of items."

KNOWN: dict[Role, dict[str, tuple[str, ...]]] = {
    "truth": {"query": QUERY, "item": ITEM, "grade": GRADE, "subtopic": SUBTOPIC, ITEM_WEIGHT: ()},
    "run": {"query": QUERY, "item": ITEM, "score": SCORE, "rank": RANK},
    "exclude": {"query": QUERY, "item": ITEM},
    "train": {"query": QUERY, "item": ITEM},
    "catalog": {"item": ITEM},
    "items": {"item": ITEM, "category": CATEGORY, "group": GROUP, "vector": VECTOR},
    "weights": {"query": QUERY, "weight": WEIGHT},
}
VALUES: dict[Role, tuple[str, ...]] = {
    "truth": ("grade",),
    "run": ("score", "rank"),
    "exclude": (),
    "train": (),
    "catalog": (),
    "items": (),
    "weights": ("weight",),
}
"What may be the number of a row, the first that is there."
REQUIRED: dict[Role, tuple[str, ...]] = {"weights": ("query", "weight"), "catalog": ("item",)}
"Columns that a table must have, where that is not a query and an item."


@dataclass(frozen=True)
class Mapped:
    """The columns found: `value` is the grade, score, rank or weight column, by `kind`; None where there is none.

    A table of query weights has no items, and a catalogue no queries: there the one stands for the other.
    """

    role: Role
    query: str
    item: str
    value: str | None
    kind: str
    notes: tuple[Text, ...]
    subtopic: str | None = None
    weight: str | None = None

    @property
    def wanted(self) -> Wanted:
        """The columns to read: ids are text, the value and the weight are numbers."""
        numbers = tuple(column for column in (self.value, self.weight) if column is not None)
        ids = (self.query, self.item, *([] if self.subtopic is None else [self.subtopic]))
        return Wanted(tuple(dict.fromkeys((*ids, *numbers))), ids, numbers, self.query)


def map_columns(
    present: Sequence[str],
    role: Role,
    columns: Mapping[str, str | int] | None,
    where: Text,
    *,
    numeric: Callable[[Sequence[str]], Sequence[str]] = lambda _: (),
    subtopics: bool = False,
) -> Mapped:
    """Find the columns of a truth table or a run among those present; `numeric` says which of some hold numbers.

    A run without a known score is not ranked by the order of its rows while it has a column that may be the score, nor are
    all rows of a truth relevant alike while it has one that may be the grade. `subtopics` are wanted where there are any.
    """
    words = column_words(role, columns)
    looked_for = (part for part in KNOWN[role] if part != "subtopic" or subtopics or part in words)
    weight = words.get(ITEM_WEIGHT)  # a column of weights is found as no other, whatever its name
    others = [name for name in present if name != weight]
    parts = {part: _find(part, present if part in words else others, role, words, where) for part in looked_for}
    if "score" not in words and ("rank" in words or (parts.get("rank") or "").strip().lower() == POSITION):
        parts["score"] = None
    for part in REQUIRED.get(role, ("query", "item")):
        if parts[part] is None:
            raise _missing_role(part, present, where)
    query, item = (str(parts.get(part) or parts[other]) for part, other in (("query", "item"), ("item", "query")))
    kind = next((part for part in VALUES[role] if parts[part] is not None), "none")
    value, subtopic = parts.get(kind), parts.get("subtopic")
    if value is None and role in ("truth", "run") and not {"rank", "grade"} & {*words}:
        refuse_unknown(role, numeric([name for name in others if name not in (query, item, subtopic)]), where)
    refuse_absent([column for column in (query, item, value, subtopic, weight) if column is not None], present, where)
    if weight is not None and weight in (query, item, value, subtopic):
        raise InputError(
            f"{where.en}: one column cannot play two roles: item_weight={weight} is the {_role_of(weight, query, item, kind)} too; name another",
            f"{where.zh}：一列不能有两个角色：item_weight={weight} 同时是 {_role_of(weight, query, item, kind)}；请指定另一列",
        )
    notes = [_mapping_note(role, query, item, (kind, value), where)]
    if subtopic is not None:
        notes.append(subtopic_note(where, subtopic))
    if weight is not None:
        notes.append(weight_note(where, weight))
    if role == "run" and parts["score"] and parts["rank"]:
        notes.append(
            Text(
                f"{where.en}: score decides the order; the rank column is not used",
                f"{where.zh}：按分数排序，不使用排名列",
            )
        )
    return Mapped(role, query, item, value, kind, tuple(notes), subtopic, weight)


def _role_of(column: str, query: str, item: str, kind: str) -> str:
    return "query" if column == query else "item" if column == item else kind


def weight_note(where: Text, column: str) -> Text:
    """What the column of weights is, and what weighing nothing means."""
    return Text(
        f"{where.en}: item_weight={column}; an item of weight 0 counts as not judged",
        f"{where.zh}：item_weight={column}；权重为 0 的条目视为未标注",
    )


def subtopic_note(where: Text, column: str) -> Text:
    """What becomes of an item with several subtopics where a metric knows none."""
    return Text(
        f"{where.en}: subtopic={column}; where a metric knows no subtopics, the grade of an item is its highest over them",
        f"{where.zh}：subtopic={column}；指标不区分子主题时，条目的等级取其各子主题中的最高等级",
    )


def check_roles(columns: Mapping[str, str | int] | None) -> None:
    """Refuse roles that no table has, also where the input has no columns to name."""
    roles = {part for parts in KNOWN.values() for part in parts}
    for key in columns or {}:
        table, _, part = key.rpartition(".")
        if part not in roles or table not in ("", *KNOWN):
            hint = did_you_mean(part, roles)
            raise InputError(
                f"columns: unknown role '{key}'; roles are {', '.join(sorted(roles))}, or truth.query, run.query …{hint.en}",
                f"columns：未知的角色 '{key}'；可用 {', '.join(sorted(roles))}，或 truth.query、run.query …{hint.zh}",
            )


def column_words(role: Role, columns: Mapping[str, str | int] | None) -> dict[str, str]:
    """The caller's words for this table: `query`, or `run.query` where the two tables differ."""
    check_roles(columns)
    split = ((key.rpartition("."), str(column)) for key, column in (columns or {}).items())
    return {part: column for (table, _, part), column in split if part in KNOWN[role] and table in ("", role)}


def counts_column(word: str) -> bool:
    """Whether this is the number of a column, from 1, rather than its name."""
    return word.isascii() and word.isdigit()


def wants_no_number(part: str, word: str) -> bool:
    """Whether the caller says that rows are in order, or that no column holds grades, where no column has that name."""
    return (part, word) in (("rank", GIVEN_ORDER), ("grade", NO_GRADE))


def names_value(role: Role, columns: Mapping[str, str | int] | None) -> bool:
    """Whether the caller names the grades of the truth, or the scores or ranks of the run, as such."""
    return any(f"{role}.{part}" in (columns or {}) for part in VALUES[role])


def names_part(part: str, present: Sequence[str], role: Role, columns: Mapping[str, str | int] | None) -> bool:
    """Whether one of these columns plays a part, by the caller's words or by its name."""
    words = column_words(role, columns)
    return words[part] in present if part in words else match(present, KNOWN[role][part]) is not None


def _find(part: str, present: Sequence[str], role: Role, words: Mapping[str, str], where: Text) -> str | None:
    if part not in words:
        return match(present, KNOWN[role][part])
    wanted = words[part]
    if wanted in present:
        return wanted
    if wants_no_number(part, wanted):
        return None
    way = f"{role}.{part}={wanted}"
    more = Text(f" (if only one table has it, say {way})", f"（若只有一张表有此列，请写 {way}）")
    raise _absent(wanted, present, where, Text("", "") if part == ITEM_WEIGHT else more)


def _mapping_note(role: Role, query: str, item: str, number: tuple[str, str | None], where: Text) -> Text:
    nothing = {"truth": Text("every grade is 1", "等级均为 1"), "run": Text("order as given", "按给定顺序")}
    names = {"query": query, "item": item}
    roles = [f"{part}={names[part]}" for part in names if part in KNOWN[role]]
    if number[1] is not None:
        roles.append(f"{number[0]}={number[1]}")
    last = [nothing[role]] if role in nothing and number[1] is None else []
    en, zh = ", ".join([*roles, *(text.en for text in last)]), "、".join([*roles, *(text.zh for text in last)])
    return Text(f"{where.en}: {en}", f"{where.zh}：{zh}")


def _missing_role(part: str, present: Sequence[str], where: Text) -> InputError:
    names = {"query": QUERY, "item": ITEM, "weight": WEIGHT}[part]
    wide = _WIDE if len(present) > _MANY else Text("", "")
    return InputError(
        f"{where.en} has no {part} column; it has {listed(present)}; known names are {', '.join(names)}; "
        f"say which one it is with columns={{'{part}': …}} or --columns {part}=…{wide.en}",
        f"{where.zh} 找不到 {part} 列；现有 {listed(present)}；可识别的名称为 {'、'.join(names)}；"
        f"请用 columns={{'{part}': …}} 或 --columns {part}=… 指明{wide.zh}",
    )


_WIDE = Text(
    "; a frame with an item in each column is given as (ids, matrix), e.g. (frame.index, frame.to_numpy()), with items=frame.columns",
    "；每列一个条目的数据框请写成（编号，矩阵），例如 (frame.index, frame.to_numpy())，并给出 items=frame.columns",
)


_MANY = 30
"Columns that a message names at most."


def listed(present: Sequence[str]) -> str:
    """Columns, for messages: of many the first."""
    more = f" … ({len(present)})" if len(present) > _MANY else ""
    return ", ".join(f"'{name}'" for name in present[:_MANY]) + more


def refuse_absent(names: Sequence[str], present: Sequence[str], where: Text) -> None:
    """Refuse a column that the table does not have, or has twice."""
    for name in names:
        if name not in present:
            raise _absent(name, present, where, Text("", ""))
        if list(present).count(name) > 1:
            raise InputError(f"{where.en} has two columns named '{name}'", f"{where.zh} 有两列同名 '{name}'")


def _absent(name: str, present: Sequence[str], where: Text, more: Text) -> InputError:
    hint = did_you_mean(name, present)
    return InputError(
        f"{where.en} has no column '{name}'; it has {listed(present)}{hint.en}{more.en}",
        f"{where.zh} 没有列 '{name}'；现有 {listed(present)}{hint.zh}{more.zh}",
    )


def table_name(role: Role, what: str) -> Text:
    """How messages call a table: its role and its file or kind."""
    return Text(f"{ROLE_NAMES[role].en} {what}", f"{ROLE_NAMES[role].zh} {what}")


def match(present: Sequence[str], names: Sequence[str]) -> str | None:
    """The first known name that is present; RecBole's `user_id:token` counts as `user_id`."""
    plain = {column.split(":")[0].strip().lower(): column for column in reversed(present)}
    for name in names:
        if name in present:
            return name
        if name.lower() in plain:
            return plain[name.lower()]
    return None


_FEW = 5
"Columns that a question names."


_ASKED: dict[Role, tuple[Text, str, Text, tuple[str, ...]]] = {
    "run": (
        Text("score", "分数"),
        "rank=order",
        Text("its rows are in order, best first", "各行已从好到差排列"),
        GRADE,
    ),
    "truth": (
        Text("grade", "等级"),
        "grade=none",
        Text("every row is relevant alike", "各行同样相关"),
        (*RANK, *SCORE),
    ),
}
"The number of a table, what to say where it has none, what that means, and names that the table of the other side has."


def refuse_unknown(role: Role, numbers: Sequence[str], where: Text) -> None:
    """Ask for the grades or scores where a column may hold them; times and ids of other things are no grades."""
    candidates = [name for name in numbers if role == "run" or not _is_time_or_id(name)]
    if role not in _ASKED or not candidates:
        return
    (part, none, when, others), first = _ASKED[role], candidates[0]
    names = Text(*(word.join(f"'{name}'" for name in candidates[:_FEW]) for word in (" or ", " 或 ")))
    key, _, word = none.partition("=")
    swapped = Text("; or are truth and run swapped? The truth comes first", "；真值与预测是否颠倒？应先给真值")
    swapped = swapped if match(candidates, others) is not None else Text("", "")
    raise InputError(
        f"{where.en} has no column that is known to hold {part.en}s: is {names.en} the {part.en}? say "
        f"columns={{'{part.en}': '{first}'}} (--columns {part.en}={first}), or columns={{'{key}': '{word}'}} (--columns {none}) if "
        f"{when.en}{swapped.en}",
        f"{where.zh} 没有已知的{part.zh}列：{names.zh} 是{part.zh}吗？请用 columns={{'{part.en}': '{first}'}}（--columns {part.en}={first}）指明；"
        f"若{when.zh}，请用 columns={{'{key}': '{word}'}}（--columns {none}）{swapped.zh}",
    )


_TIMES, _PLACES = ("time", "date", "day", "hour", "month", "year", "week"), ("ts", "index", "level_0", "row", "fold")


def _is_time_or_id(name: str) -> bool:
    """Whether a column is named as a time, an id, or an index that a data frame left behind."""
    plain = name.split(":", maxsplit=1)[0].strip().lower()
    words = plain.replace("-", "_").split("_")
    temporal = any(word in plain for word in _TIMES) or plain in _PLACES or {"id", "ts", "at", "idx"} & {*words}
    return bool(temporal) or plain.endswith("id") or plain.startswith(("unnamed", "__index"))
