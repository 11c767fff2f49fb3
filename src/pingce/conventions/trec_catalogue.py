"""The measures of trec_eval: their names, default cut-offs, the order they are printed in, and which metric each is.

Facts of versions 9.0.8 and 10.0-rc3.
"""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.conventions.trec_measures import Line, Measure

_DEPTHS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_LEVELS = tuple(str(tenth / 10) for tenth in range(11))
_FIFTHS = tuple(str(fifth / 5) for fifth in range(1, 11))

MEASURES = (
    Measure("runid", "", of_topics=False),
    Measure("num_q", "num_q", whole=True, of_topics=False),
    Measure("num_ret", "num_ret", whole=True),
    Measure("num_rel", "num_rel", whole=True),
    Measure("num_rel_ret", "num_rel_ret", whole=True),
    Measure("map", "ap"),
    Measure("gm_map", "gm_ap", of_topics=False),
    Measure("Rprec", "r_precision"),
    Measure("bpref", "bpref"),
    Measure("recip_rank", "rr"),
    Measure("iprec_at_recall", "iprec(recall={},rounding={rounding})", _LEVELS, "shares"),
    Measure("P", "precision@{}", _DEPTHS, "depths"),
    Measure("relstring", "", ("10",), "length"),
    Measure("recall", "recall@{}", _DEPTHS, "depths"),
    Measure("infAP", "inf_ap"),
    Measure("gm_bpref", "gm_bpref", of_topics=False),
    Measure("Rprec_mult", "r_precision(times={},rounding=trec9)", _FIFTHS, "multiples"),
    Measure("utility", "utility", takes="worths"),
    Measure("11pt_avg", "iprec(recall={},rounding={rounding})", _LEVELS, "points"),
    Measure("binG", "bin_g"),
    Measure("G", "g(gain=linear)", takes="gains"),
    Measure("ndcg", "ndcg(gain=linear)", takes="gains"),
    Measure("ndcg_rel", "ndcg_rel(gain=linear)", takes="gains"),
    Measure("Rndcg", "r_ndcg(gain=linear)", takes="gains"),
    Measure("ndcg_cut", "ndcg(gain=linear)@{}", _DEPTHS, "depths"),
    Measure("map_cut", "ap@{}", _DEPTHS, "depths"),
    Measure("relative_P", "precision(over=min)@{}", _DEPTHS, "depths"),
    Measure("success", "hit_rate@{}", ("1", "5", "10"), "depths"),
    Measure("set_P", "precision"),
    Measure("set_relative_P", "precision(over=min)"),
    Measure("set_recall", "recall"),
    Measure("set_map", "set_ap"),
    Measure("set_F", "f(squared=no)", takes="number"),
    Measure("num_nonrel_judged_ret", "num_nonrel_judged_ret", whole=True),
    Measure("yaap", "yaap"),
    Measure("rbp", "rbp(p=0.9,gain=linear,relevant=any)", takes="patience", versions=("10",)),
    Measure("rbp_resid", "rbp_residual(p=0.9,complete=zero)", versions=("10",)),
    Measure("unj", "unjudged@{}", ("5", "10", "20"), "depths", versions=("10",)),
)
"In the order in which trec_eval prints them, however they are asked for."

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_OF_LISTS = ("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_NOT_OF_ALL = ("yaap",)
_ABSENT = ("dcg", "ideal_dcg", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "all_prefs", "prefs", "qrels_jg")
"Those that no set of measures has, or that need several judgements of a document."


def _sets(version: str) -> dict[str, tuple[str, ...]]:
    """Names that stand for several measures."""
    ours = tuple(measure.name for measure in MEASURES if version in measure.versions)
    return {
        "official": (*_COUNTS, *_OF_LISTS),
        "set": (*_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
        "all_trec": tuple(name for name in ours if name not in _NOT_OF_ALL),
    }


def measure_names(version: str) -> dict[str, str]:
    """Every set of measures and every measure that `-m` takes, each measure with the metric that it is."""
    ours = {measure.name: measure.means for measure in MEASURES if version in measure.versions}
    return dict.fromkeys(_sets(version), "") | ours


def wanted(words: Sequence[str], version: str) -> tuple[Line, ...]:
    """The lines that `-m` words ask for, in order. Of several cut-offs for one measure the first count, as in trec_eval."""
    parameters: dict[str, str | None] = {}
    sets = _sets(version)
    for word in words or ("official",):
        name, dot, text = word.partition(".")
        for each in sets.get(name, (name,)):
            _refuse_unknown(each, word, version)
            if name in sets and dot:
                raise Measure(name, "").refusal(text, Text("it stands for several measures", "它代表多个指标"))
            if dot and not text:
                raise Measure(name, "").refusal(text, Text("nothing stands after the dot", "点号之后没有内容"))
            parameters[each] = parameters.get(each) or text or None
    rounding = {"9": "trec9", "10": "nearest"}[version]
    measures = [measure for measure in MEASURES if measure.name in parameters]
    lines = [line for measure in measures for line in measure.lines(parameters[measure.name])]
    return tuple(line.rounded(rounding) for line in lines)


def _refuse_unknown(name: str, word: str, version: str) -> None:
    measures = {measure.name: measure for measure in MEASURES}
    if name in measures and version in measures[name].versions:
        return
    if name in measures:
        raise InputError(f"-m {word}: only version 10 has {name}", f"-m {word}：只有版本 10 有 {name}")
    if name in _ABSENT or name.startswith("prefs_"):
        names = [measure.name for measure in MEASURES if version in measure.versions]
        raise InputError(
            f"-m {word}: trec_eval has {name}, pingce does not; it has {', '.join(names)}",
            f"-m {word}：trec_eval 有 {name}，pingce 没有；可用 {'、'.join(names)}",
        )
    family, _, cutoff = name.rpartition("_")
    hint = did_you_mean(name, (*measures, *_sets(version)))
    if family in measures and measures[family].defaults:  # P_10, as it is printed, is asked for as P.10
        hint = Text(f"; did you mean '{family}.{cutoff}'?", f"；您是不是想写 '{family}.{cutoff}'？")
    raise InputError(
        f"-m {word}: unknown measure{hint.en} (pingce trec_eval --help lists them)",
        f"-m {word}：未知的指标{hint.zh}（pingce trec_eval --help 列出全部）",
    )
