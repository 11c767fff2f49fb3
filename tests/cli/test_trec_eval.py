"""`pingce trec_eval`: its options, what it refuses, and the rules that the frozen outputs do not show.

tests/conformance_trec_eval compares whole outputs with those of the program itself.
"""

from __future__ import annotations

import gzip
import io
import math
import sys
from pathlib import Path

import pytest

from pingce.base.errors import InputError
from pingce.cli.trec_eval import policies_of
from pingce.conventions.declared import conventions
from pingce.conventions.trec_catalogue import MEASURES, wanted
from pingce.evidence.policies import Policies
from pingce.metrics.grammar import parse_metric

from .conftest import Call, Small, Write
from .shell import shell

# Two topics with hits, one that the run does not answer; in the run also a topic nobody judged.
QRELS = """10 0 a 2
10 0 b 0
10 0 c 1
9 0 a 1
9 0 d 3
8 0 a 1
"""
RUN = """9 Q0 x 1 3 first
9 Q0 d 2 2 first
10 Q0 a 1 1 first
10 Q0 c 2 1 first
10 Q0 b 3 9 first
7 Q0 a 1 1 last
"""


@pytest.fixture
def topics(write: Write) -> tuple[Path, Path]:
    return write("topics.qrels", QRELS), write("topics.run", RUN)


Printed = dict[tuple[str, str], str]


def table(out: str) -> Printed:
    rows = [line.split("\t") for line in out.splitlines()]
    return {(measure.rstrip(), topic): value for measure, topic, value in rows}


def test_a_line_has_a_padded_name_two_tabs_and_four_digits(call: Call, topics: tuple[Path, Path]) -> None:
    assert call("trec_eval", "-m", "map", *topics).out == f"map{' ' * 19}\tall\t0.4167\n"
    assert call("trec_eval", "-m", "num_nonrel_judged_ret", *topics).out == "num_nonrel_judged_ret \tall\t1\n"


def test_topics_come_in_order_of_their_letters_and_before_the_summary(call: Call, topics: tuple[Path, Path]) -> None:
    done = call("trec_eval", "-q", "-m", "num_ret", "-m", "num_q", *topics)
    assert list(table(done.out)) == [("num_ret", "10"), ("num_ret", "9"), ("num_q", "all"), ("num_ret", "all")]
    only = call("trec_eval", "-q", "-n", "-m", "num_ret", "-m", "num_q", *topics)
    assert list(table(only.out)) == [("num_ret", "10"), ("num_ret", "9")]


def test_unanswered_topics(call: Call, topics: tuple[Path, Path]) -> None:
    """Version 9 leaves them out or counts them 0 without printing them; version 10 prints them, or refuses."""
    words = ("-q", "-m", "num_q", "-m", "success.3", *topics)
    nine, nine_complete = (table(call("trec_eval", *more, *words).out) for more in ((), ("-c",)))
    ten_complete = table(call("trec_eval", "-c", "--version", "10", *words).out)
    assert nine == {
        ("success_3", "10"): "1.0000",
        ("success_3", "9"): "1.0000",
        ("num_q", "all"): "2",
        ("success_3", "all"): "1.0000",
    }
    assert nine_complete == nine | {("num_q", "all"): "3", ("success_3", "all"): "0.6667"}
    assert ten_complete == nine_complete | {("success_3", "8"): "0.0000"}
    refused = call("trec_eval", "--version", "10", *words)
    assert (refused.code, refused.out) == (4, "")
    assert "does not answer 1 judged topics ('8')" in refused.err
    assert "-c counts them 0" in refused.err


def test_long_options_are_those_of_trec_eval(call: Call, small: Small) -> None:
    short = call(
        "trec_eval", "-q", "-n", "-c", "-l", "2", "-M2", "-J", "-N", "9", "-m", "P.1,2", small.qrels, small.run
    )
    long = call(
        "trec_eval",
        small.qrels,
        small.run,
        *("--query_eval_wanted", "--nosummary", "--complete_rel_info_wanted", "--level_for_rel=2"),
        *("--Max_retrieved_per_topic=2", "--Judged_docs_only", "--Number_docs_in_coll=9", "--measure=P.1,2"),
        "--Rel_info_format=qrels",
        "--Results_format=trec_results",
        "--version=9",
    )
    assert short.code == 0, short.err
    assert short.out
    assert long == short


def test_the_level_changes_what_is_relevant_but_not_the_gain(call: Call, topics: tuple[Path, Path]) -> None:
    words = ("-m", "num_rel", "-m", "map", "-m", "ndcg", *topics)
    one, two, zero = (table(call("trec_eval", "-l", level, *words).out) for level in "120")
    assert [found["num_rel", "all"] for found in (one, two, zero)] == ["4", "2", "5"]
    assert one["ndcg", "all"] == two["ndcg", "all"] == zero["ndcg", "all"]
    assert two["map", "all"] == f"{(1 / 3 + 1 / 2) / 2:.4f}"
    assert zero["map", "all"] == f"{(1 + 1 / 4) / 2:.4f}"


def test_with_c_the_relevant_documents_of_all_topics_ignore_the_level(call: Call, topics: tuple[Path, Path]) -> None:
    found = table(call("trec_eval", "-c", "-q", "-l", "2", "-m", "num_rel", *topics).out)
    assert found == {("num_rel", "10"): "1", ("num_rel", "9"): "1", ("num_rel", "all"): "5"}


def test_the_best_documents_are_kept_before_unjudged_ones_are_dropped(call: Call, topics: tuple[Path, Path]) -> None:
    """Topic 10: b has the best score; of a and c, which tie, c comes first."""
    words = ("-q", "-n", "-m", "num_ret", "-m", "num_rel_ret", "-m", "recip_rank", *topics)
    found = table(call("trec_eval", "-M", "2", *words).out)
    assert [found[name, "10"] for name in ("num_ret", "num_rel_ret", "recip_rank")] == ["2", "1", "0.5000"]
    found = table(call("trec_eval", "-M", "1", "-J", *words).out)
    assert [found[name, "9"] for name in ("num_ret", "num_rel_ret", "recip_rank")] == ["0", "0", "0.0000"]


@pytest.mark.parametrize("version", ["9", "10"])
def test_an_empty_list_divides_nothing_by_nothing(call: Call, topics: tuple[Path, Path], version: str) -> None:
    """With -J a list may become empty; levels that need no relevant document are then 0 / 0, in both versions."""
    measures = ("-m", "iprec_at_recall.0,0.2,0.5", "-m", "11pt_avg", "-m", "P.1")
    words = ("-c", "-q", "-M", "1", "-J", "--version", version, *measures)
    found = table(call("trec_eval", *words, *topics).out)
    assert found["iprec_at_recall_0.00", "9"] == found["11pt_avg", "9"] == found["11pt_avg", "all"] == "  -nan"
    # 0.2 of 2 relevant documents: version 9 rounds up to one, version 10 down to none.
    assert found["iprec_at_recall_0.20", "9"] == ("0.0000" if version == "9" else "  -nan")
    assert found["iprec_at_recall_0.50", "9"] == found["iprec_at_recall_0.50", "all"] == "0.0000"
    assert found["iprec_at_recall_0.00", "10"] == found["P_1", "9"] == "0.0000"
    assert ("11pt_avg", "8") not in found or found["11pt_avg", "8"] == "  -nan"


def test_scores_that_differ_in_double_precision_only_tie_in_version_9(call: Call, write: Write) -> None:
    truth = write("t.qrels", "1 0 a 1\n1 0 b 0\n")
    run = write("t.run", "1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t\n")
    nine, ten = (call("trec_eval", "-m", "recip_rank", "--version", version, truth, run) for version in ("9", "10"))
    assert ([*table(nine.out).values()], [*table(ten.out).values()]) == (["0.5000"], ["1.0000"])


def test_the_run_is_called_by_the_tag_of_its_last_line(call: Call, topics: tuple[Path, Path]) -> None:
    assert call("trec_eval", "-q", "-m", "runid", *topics).out == f"runid{' ' * 17}\tall\tlast\n"


def test_compressed_files_and_standard_input(
    call: Call, topics: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = call("trec_eval", "-q", *topics)
    packed = topics[1].with_suffix(".gz")
    packed.write_bytes(gzip.compress(topics[1].read_bytes()))
    assert call("trec_eval", "-q", topics[0], packed) == plain
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(topics[1].read_bytes())))
    assert call("trec_eval", "-q", topics[0], "-") == plain
    assert plain.out.startswith("num_ret")


def test_measures_come_in_their_own_order_with_cutoffs_ascending(call: Call, small: Small) -> None:
    words = ("-m", "success.2", "-m", "iprec_at_recall.1,.25", "-m", "P.10,3", "-m", "map")
    names = [name for name, _ in table(call("trec_eval", *words, small.qrels, small.run).out)]
    assert names == ["map", "iprec_at_recall_0.25", "iprec_at_recall_1.00", "P_3", "P_10", "success_2"]


def test_of_two_sets_of_cutoffs_the_first_counts(call: Call, small: Small) -> None:
    words = ("-m", "P.7", "-m", "P", "-m", "P.3", "-m", "official")
    names = [name for name, _ in table(call("trec_eval", *words, small.qrels, small.run).out)]
    assert [name for name in names if name.startswith("P_")] == ["P_7"]
    assert names[0] == "runid"


def test_parameters_are_printed_as_they_were_written(call: Call, topics: tuple[Path, Path]) -> None:
    words = ("-q", "-m", "set_F.2.0", "-m", "utility.2,-1,0,0", "-m", "ndcg.3=9")
    found = table(call("trec_eval", *words, *topics).out)
    precision, recall = 1 / 2, 1 / 2
    assert found["set_F_2.0", "9"] == f"{3 * precision * recall / (2 * precision + recall):.4f}"
    assert found["utility_2,-1,0,0", "9"] == "1.0000"
    # A grade without a gain of its own gains itself.
    assert found["ndcg_3=9", "9"] == f"{(9 / math.log2(3)) / (9 + 1 / math.log2(3)):.4f}"
    assert found["ndcg_3=9", "10"] == f"{(1 / math.log2(3) + 2 / 2) / (2 + 1 / math.log2(3)):.4f}"


REFUSED = {
    "-m map_avgjg": "trec_eval has map_avgjg, pingce does not; it has runid, num_q",
    "-m infAP.5": "it takes no parameters here",
    "-m Rprec_mult.0": "numbers above 0 are needed",
    "-m relstring.x": "'x' is not a number",
    "-m unj": "only version 10 has unj",
    "-m G.1=0.5": "-m G: the gains 0 and 0.5 are less than 1 apart",
    "-m prefs_simp": "trec_eval has prefs_simp, pingce does not",
    "-m all_prefs": "trec_eval has all_prefs, pingce does not",
    "-m P_10": "unknown measure; did you mean 'P.10'?",
    "-m nDCG": "unknown measure; did you mean 'ndcg'?",
    "-m foo": "unknown measure (pingce trec_eval --help lists them)",
    "-m rbp": "only version 10 has rbp",
    "-m P.": "nothing stands after the dot",
    "-m P.5,5": "5 stands twice",
    "-m P.0": "whole numbers from 1 are needed",
    "-m P.5,x": "whole numbers from 1 are needed",
    "-m iprec_at_recall.1.5": "shares from 0 to 1 are needed",
    "-m iprec_at_recall.x": "'x' is not a number",
    "-m set_F.inf": "'inf' is not a number",
    "-m set_F.0": "beta=0: must be a number, > 0",
    "-m map.5": "it takes no parameters here",
    "-m 11pt_avg..5,.25": "the points must ascend",
    "-m 11pt_avg.1.5": "shares from 0 to 1 are needed",
    "-m rbp.p=1 --version 10": "p=, a number between 0 and 1, is needed",
    "-m rbp.1=3 --version 10": "gains from 0 to 1 are needed",
    "-m rbp.p --version 10": "pairs grade=gain are needed",
    "-m rbp.x=1 --version 10": "whole numbers from 1 are needed",
    "-m rbp.1=0.5 --version 10 -c": "the truth has grade 2, which then gains 2, and trec_eval does not scale such gains",
    "-M -1": "-1 is not in the range",
    "-m official.5": "it stands for several measures",
    "-m utility.1,-1": "four numbers, the last two 0, are needed",
    "-m utility.1,-1,0,1": "four numbers, the last two 0, are needed",
    "-m ndcg.5": "pairs grade=gain are needed",
    "-m ndcg.0=1": "whole numbers from 1 are needed",
    "-m ndcg.1=0.5": "the gains 0 and 0.5 are less than 1 apart",
    "-m ndcg.1=2.5": "the gains 2 and 2.5 are less than 1 apart",
    "-l -1": "-1 is not in the range",
    "-R prefs": "only prefs_* read such judgements, and pingce does not have them",
    "-R qrels_prefs": "every other measure reads -R qrels",
    "-R qrels_jg": "only map_avgjg, P_avgjg, Rprec_mult_avgjg read such judgements",
    "-R qrel": "trec_eval has no such form of judgements; did you mean 'qrels'?",
    "-T other": "-T: trec_eval has this option",
    "-Z means": "means: no such file",
    "-D 1": "-D: trec_eval has this option",
    "-o": "-o: trec_eval has this option",
    "-v": "-v: trec_eval has this option",
    "-x": "No such option",
    "--version 8": "'8' is not one of '9', '10'",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_it_does_not_have_is_said_in_one_sentence(call: Call, topics: tuple[Path, Path], words: str) -> None:
    done = call("trec_eval", *words.split(), *topics)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert REFUSED[words] in done.err


@pytest.mark.parametrize("words", [words for words in REFUSED if words.startswith(("-m", "-R"))])
def test_the_same_in_chinese(call: Call, topics: tuple[Path, Path], words: str) -> None:
    done = call("trec_eval", "--lang", "zh", *words.split(), *topics)
    assert done.code == 2
    assert any("\u4e00" <= letter <= "\u9fff" for letter in done.err)


@pytest.mark.parametrize(
    ("qrels", "run", "said"),
    [
        ("1 0 a 1\n", "1\ta\t1\n", "three columns, but trec_eval reads six"),
        ("1 0 a 1\n1 0 b 1.5\n", "1 Q0 a 1 1 t\n", "t.qrels:2 (query '1', item 'b'): the grade is 1.5"),
    ],
)
def test_what_pingce_reads_and_trec_eval_does_not(call: Call, write: Write, qrels: str, run: str, said: str) -> None:
    done = call("trec_eval", write("t.qrels", qrels), write("t.run", run))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "use pingce eval" in done.err


def test_a_folder_is_refused(call: Call, small: Small) -> None:
    done = call("trec_eval", small.qrels, small.run.parent)
    assert done.code == 2
    assert "trec_eval reads one file" in done.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.run", ""),
        ("few.run", "q1 Q0 a 1 9 t\nq1 Q0 b\n"),
        ("text.run", "q1 Q0 a 1 9 t\nq1 Q0 b 2 nine t\n"),
        ("nan.run", "q1 Q0 a 1 9 t\nq1 Q0 b 2 NaN t\n"),
        ("twice.run", "q1 Q0 a 1 9 t\nq1 Q0 a 2 8 t\n"),
        ("other.run", "z1 Q0 a 1 9 t\n"),
        ("five.run", "q1 Q0 a 1 9\n"),
    ],
)
def test_bad_files_are_described_as_by_eval(call: Call, small: Small, write: Write, name: str, text: str) -> None:
    path = write(name, text)
    ours = call("trec_eval", small.qrels, path)
    assert (ours.code, ours.out) == (7 if name == "other.run" else 2, "")
    assert ours.err == call("eval", small.qrels, path, "--input-format", "trec").err


def test_a_missing_file(call: Call, small: Small) -> None:
    done = call("trec_eval", small.qrels, small.run.with_name("ome.run"))
    assert done.code == 2
    assert "ome.run: no such file" in done.err


def test_stdin_cannot_be_both_files(call: Call) -> None:
    assert "standard input can be read only once" in call("trec_eval", "-", "-").err


def test_the_help_says_which_version_is_the_default(call: Call) -> None:
    assert "[default: 9]" in call("trec_eval", "-h").out
    assert "[默认：9]" in call("trec_eval", "-h", "--lang", "zh").out


@pytest.mark.parametrize("version", ["9", "10"])
def test_every_line_is_a_metric_of_pingce(version: str) -> None:
    lines = wanted(["all_trec"], version)
    assert len({line.name for line in lines}) == len(lines)
    for line in lines:
        if line.means:
            assert parse_metric(line.means).metric.counts == line.whole


def test_all_trec_is_everything_but_one() -> None:
    for version in ("9", "10"):
        ours = [measure for measure in MEASURES if version in measure.versions]
        every = {line.name for measure in ours for line in measure.lines(None)}
        assert every == {line.name for line in wanted(["all_trec"], version)} | {"yaap"}
    with pytest.raises(InputError, match="only version 10"):
        wanted(["rbp"], "9")


@pytest.mark.parametrize("version", ["9", "10"])
def test_the_convention_of_the_same_version_says_the_same(version: str) -> None:
    """The command and `--convention trec_eval_…` have one idea of each measure and each policy."""
    convention = conventions()[f"trec_eval_{version}"]
    lines = {line.name: parse_metric(line.means).metric for line in wanted(["all_trec"], version) if line.means}
    said = {entry.name: {name: entry.read(name) for name in lines if entry.read(name)} for entry in convention.entries}
    assert [name for name, found in said.items() if not found] == ["set_F.{x}"]  # written so, printed set_F_2
    for found in said.values():
        for name, means in found.items():
            assert parse_metric(str(means)).metric == lines[name], name
    command = policies_of({"level": 1, "complete": version == "10", "judged_only": False, "version": version})
    assert command == Policies.of(**convention.policies["ranking"])


def test_little_is_imported(topics: tuple[Path, Path]) -> None:
    """A small evaluation waits for nothing heavy, and the help of all commands for no command."""
    done = shell("trec_eval", "-q", "-m", "all_trec", *topics, python=("-X", "importtime"))
    imported = {line.split("|")[-1].strip().split(".")[0] for line in done.err.splitlines() if "|" in line}
    assert done.code == 0
    assert "numpy" in imported
    assert imported.isdisjoint({"pyarrow", "scipy", "rich", "narwhals", "pandas"})
    assert "pingce.cli.trec_eval" not in shell("--help", python=("-X", "importtime")).err


JUDGED = "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n"
RANKED = "1 Q0 a 1 3 t\n1 Q0 c 2 2 t\n1 Q0 b 3 1 t\n2 Q0 x 1 1 t\n"


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("-m ndcg_cut.1=2", {"ndcg_cut_1": "0.5000"}),
        ("-m ndcg_cut.10,2,23.4", {"ndcg_cut_2": "0.3801", "ndcg_cut_10": "0.4751", "ndcg_cut_23": "0.4751"}),
        ("-m 11pt_avg..25,.5,.75", {"11pt_avg_.25,.5,.75": "0.4444"}),
        ("-m 11pt_avg.1,1", {"11pt_avg_1,1": "0.3333"}),
        ("-M0 -m map -m num_ret -m P.5", {"num_ret": "0", "map": "0.0000", "P_5": "0.0000"}),
        ("--version 10 -m rbp.p=0.5", {"rbp_p=0.5": "0.2812"}),
        # Topic 1: (1 − p)(1 · gain of 2 + p² · gain of 1); topic 2: 0.
        ("--version 10 -m rbp.p=0.5,1=0.4,2=0.8", {"rbp_p=0.5,1=0.4,2=0.8": "0.2250"}),
        ("--version 10 -m rbp.2=0.5", {"rbp_2=0.5": "0.0655"}),
        ("--version 10 -l 2 -m rbp -m map", {"rbp": "0.0702", "map": "0.5000"}),
        ("--version 10 -l 3 -m rbp -m map", {"rbp": "0.0702", "map": "0.0000"}),
        ("-R qrels -m map", {"map": "0.4167"}),
        ("-M1 -m yaap", {"yaap": f"{(math.log(2 / 2) + math.log(1 / 2)) / 2:.4f}"}),
        ("-m Rprec_mult.1.5,.5", {"Rprec_mult_0.50": "0.5000", "Rprec_mult_1.50": "0.3333"}),
        ("-m G.2=4", {"G_2=4": f"{(4 + 1 / math.log2(2 + 6 - 5)) / 5 / 2:.4f}"}),
        ("-l 0 -m Rndcg", {"Rndcg": f"{(1 + 2 / (2 + 1 / math.log2(3))) / 2 / 2:.4f}"}),
    ],
)
def test_parameters_and_options_of_trec_eval(call: Call, write: Write, words: str, printed: dict[str, str]) -> None:
    done = call("trec_eval", *words.split(), write("t.qrels", JUDGED), write("t.run", RANKED))
    assert done.code == 0
    assert {name: value for (name, _), value in table(done.out).items()} == printed


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("", 7, "truth and run have no query in common"),
        ("-c", 7, "truth and run have no query in common"),
        ("--version 10", 4, "the run does not answer 2 judged topics ('1', '2'), which trec_eval 10 refuses"),
    ],
)
def test_exit_codes_are_those_of_trec_eval(call: Call, write: Write, words: str, code: int, said: str) -> None:
    done = call("trec_eval", *words.split(), write("t.qrels", JUDGED), write("t.run", "9 Q0 a 1 3 t\n"))
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_version_10_counts_judged_topics_where_none_is_answered(call: Call, write: Write) -> None:
    files = write("t.qrels", JUDGED), write("t.run", "9 Q0 a 1 3 t\n")
    done = call("trec_eval", "--version", "10", "-c", "-m", "num_q", "-m", "map", *files)
    assert done.code == 0
    assert table(done.out) == {("num_q", "all"): "2", ("map", "all"): "0.0000"}


def test_the_utility_of_a_topic_without_an_answer(call: Call, write: Write) -> None:
    files = write("t.qrels", JUDGED), write("t.run", "1 Q0 a 1 3 t\n")
    words = ("-c", "-q", "-m", "utility.2,-1,0,0", *files)
    by_version = {version: table(call("trec_eval", "--version", version, *words).out) for version in ("9", "10")}
    name = "utility_2,-1,0,0"
    assert by_version["9"] == {(name, "1"): "2.0000", (name, "all"): "1.0000"}
    assert by_version["10"] == {(name, "1"): "2.0000", (name, "2"): "-1.0000", (name, "all"): "0.5000"}
    nothing = table(call("trec_eval", "--version", "10", "-M0", *words).out)
    assert {*nothing.values()} == {"0.0000"}
    plain = call("trec_eval", "--version", "10", "-c", "-q", "-m", "utility", *files).out
    assert table(plain)["utility", "2"] == "0.0000"


def test_comments_are_no_judgements(call: Call, write: Write) -> None:
    qrels, run = write("t.qrels", f"# TREC DL 2024\n{JUDGED}# end\n"), write("t.run", f"# head\n{RANKED}")
    plain = call("trec_eval", "-q", "-m", "map", write("p.qrels", JUDGED), write("p.run", RANKED)).out
    assert call("trec_eval", "-q", "-m", "map", "--version", "10", qrels, run).out == plain


def test_grades_as_a_string(call: Call, write: Write) -> None:
    """A character a document: its grade, > above 9, - outside the pool, . not judged; only topic by topic."""
    truth = write("t.qrels", "1 0 a 12\n1 0 b -1\n1 0 c 9\n2 0 a 0\n3 0 a 1\n")
    run = write("t.run", "1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n1 Q0 b 3 7 t\n1 Q0 c 4 6 t\n2 Q0 a 1 3 t\n")
    done = call("trec_eval", "-q", "-m", "relstring", truth, run)
    assert done.out == f"relstring{' ' * 13}\t1\t'>-.9'\nrelstring{' ' * 13}\t2\t'0'\n"
    assert table(call("trec_eval", "-q", "-m", "relstring.2", truth, run).out) == {
        ("relstring_2", "1"): "'>-'",
        ("relstring_2", "2"): "'0'",
    }
    assert table(call("trec_eval", "-q", "-J", "-m", "relstring", truth, run).out)["relstring", "1"] == "'>9'"
    assert (
        table(call("trec_eval", "-qc", "--version", "10", "-m", "relstring", truth, run).out)["relstring", "3"] == "''"
    )
    assert call("trec_eval", "-m", "relstring", truth, run).out == ""


@pytest.mark.parametrize("version", ["9", "10"])
def test_levels_of_gain_where_nothing_gains(call: Call, write: Write, version: str) -> None:
    """With -l 0 every judged document is relevant; where all grades are 0 trec_eval divides 0 by 0."""
    files = write("t.qrels", "1 0 a 0\n"), write("t.run", "1 Q0 a 1 3 t\n")
    assert table(call("trec_eval", "-l", "0", "--version", version, "-m", "Rndcg", *files).out) == {
        ("Rndcg", "all"): "  -nan"
    }
    assert table(call("trec_eval", "--version", version, "-m", "Rndcg", *files).out) == {("Rndcg", "all"): "0.0000"}


MEANS = """1 map 0.5 0.2
2 map 0 0
1 num_ret 3 0
2 num_ret 5 0
1 num_rel 1 2
2 num_rel 2 1
1 P_5 0.1 0.1
1 gm_map 0 1
2 gm_map 0 1
"""


def test_z_scores(call: Call, write: Write) -> None:
    """By hand: AP is 5/6 and 0; lists have 3 and 1 documents; 2 and 1 are relevant; P_5 is 2/5 and 0."""
    files = write("t.qrels", JUDGED), write("t.run", RANKED)
    measures = ("runid", "num_q", "num_ret", "num_rel", "map", "gm_map", "P.5")
    words = [word for name in measures for word in ("-m", name)]
    done = call("trec_eval", "-q", "-Z", write("means", MEANS), *words, *files)
    assert done.code == 0
    assert done.out == (
        "Znum_ret               \t1\t0.0000\n"
        "Znum_rel               \t1\t0.5000\n"
        "Zmap                   \t1\t1.6667\n"
        "ZP_5                   \t1\t3.0000\n"
        "Znum_ret               \t2\t-1000000.0000\n"
        "Znum_rel               \t2\t-1.0000\n"
        "Zmap                   \t2\t0.0000\n"
        "ZP_5                   \t2\t-1000000.0000\n"
        "runid                 \tall\tt\n"
        "Znum_q                 \tall\t2.0000\n"
        "Znum_ret               \tall\t-1000000.0000\n"
        "Znum_rel               \tall\t-0.5000\n"
        "Zmap                   \tall\t0.8333\n"
        f"Zgm_map                \tall\t{math.sqrt(5 / 6 * 1e-5):.4f}\n"
        "ZP_5                   \tall\t-499998.5000\n"
    )


@pytest.mark.parametrize(("version", "mean"), [("9", "0.8333"), ("10", "-0.1667")])
def test_z_scores_of_unanswered_topics(call: Call, write: Write, version: str, mean: str) -> None:
    """Topic 2 is at −2 by its mean of 2; version 9 does not compute it, version 10 does."""
    files = write("t.qrels", JUDGED), write("t.run", "\n".join(RANKED.splitlines()[:3]) + "\n")
    reference = write("means", "1 map 0.5 0.2\n2 map 2 1\n1 num_rel 0 1\n2 num_rel 0 1\n")
    words = ("-c", "--version", version, "-m", "map", "-m", "num_rel", "-Z", reference)
    found = table(call("trec_eval", *words, *files).out)
    assert found == {("Znum_rel", "all"): "3.0000", ("Zmap", "all"): mean}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 map 0.5 0.2\n1 map 0.5 0.3\n", "means:2: topic '1' has map twice"),
        ("1 map 0.5\n", "means:1: '1 map 0.5' is not a topic, a measure, a mean and a standard deviation"),
        ("1 map 0.5 nan\n", "means:1: '1 map 0.5 nan' is not"),
        ("\n", "means:1: '' is not"),
    ],
)
def test_a_bad_file_of_means(call: Call, write: Write, text: str, said: str) -> None:
    words = ("-Z", write("means", text), write("t.qrels", JUDGED), write("t.run", RANKED))
    done = call("trec_eval", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert any("\u4e00" <= letter <= "\u9fff" for letter in call("trec_eval", "--lang", "zh", *words).err)
