"""`--convention`, `--conventions`, `--worst`, `-v` and `pingce conventions`: a tool's numbers, and why they differ."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import pingce as pc
from pingce.conventions.declared import conventions

from .conftest import Call, Score, Small, Write

CASES = Path(__file__).parents[1] / "conformance" / "cases"
GRADED = (str(CASES / "graded.qrels"), str(CASES / "graded.run"))
SIX = "trec_eval,ranx,sklearn,recbole,lenskit,rectools"
pytestmark = pytest.mark.filterwarnings("ignore")


def test_six_values_and_their_causes(call: Call) -> None:
    done = call("eval", *GRADED, "-m", "ndcg@10", "--conventions", SIX)
    assert done.code == 0
    rows = [re.split(r"\s{2,}", line.strip()) for line in done.out.splitlines()[2:]]
    assert [row[1].split()[0] for row in rows] == ["pingce", "trec_eval_9", *SIX.split(",")[1:]]
    for row in rows[1:]:
        tool = row[1].split()[0]
        value = pc.evaluate_ranking(*GRADED, "ndcg@10", convention=tool)["ndcg@10"]
        assert row[3] == f"{value:.4f}"
        assert "→" in row[5]
    assert "gain: exp2 → linear" in rows[1][5]
    assert "discount: log2 → jarvelin" in next(row[5] for row in rows if row[1].startswith("lenskit"))


def test_the_comparison_in_chinese_and_as_data(call: Call) -> None:
    words = ["eval", *GRADED, "-m", "ndcg@10", "--conventions", "ranx"]
    assert "原因" in call(*words, "--lang", "zh").out
    document = json.loads(call(*words, "-f", "json").out)
    assert document["metrics"][0]["conventions"][0]["switches"][0]["name"] == "gain"
    assert call(*words, "-f", "csv").out.splitlines()[1].startswith("ndcg@10,pingce,")
    assert call(*words, "-f", "md").out.startswith("| metric |")
    refused = call(*words, "-f", "trec")
    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written as trec" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--conventions", "ranx,trec"], "unknown convention 'trec'"),
        (["--convention", "rankx"], "unknown convention 'rankx'; did you mean 'ranx'?"),
        (["--convention", "ranx", "-m", "err@5"], "ranx has no metric 'err@5' (it has ndcg@10"),
        (["--conventions", "ranx", GRADED[1]], "give one run at a time"),
        (["--worst", "3", "-f", "json"], "--worst is for tables and Markdown"),
    ],
)
def test_bad_input(call: Call, words: list[str], said: str) -> None:
    done = call("eval", *GRADED, *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_one_convention(score: Score, call: Call) -> None:
    document = score(*GRADED, "-m", "ndcg@10,mrr", "--convention", "ranx")
    expected = pc.evaluate_ranking(*GRADED, ["ndcg@10", "mrr"], convention="ranx")
    assert {entry["name"]: entry["value"] for entry in document["metrics"]} == dict(expected)
    assert document["metrics"][0]["signature"] == expected.signature("ndcg@10")
    out = call("eval", *GRADED, "-m", "ndcg@10,mrr", "--convention", "ranx").out
    assert "ndcg@10: gain:linear|gain_below:zero|ties:order|undefined:zero" in out
    given = score(*GRADED, "-m", "ndcg@10", "--convention", "ranx", "--undefined", "skip", "-l", "2")
    assert "|rel:2|" in given["metrics"][0]["signature"]
    assert "|undefined:skip|" in given["metrics"][0]["signature"]


def test_a_convention_of_labels(score: Score, write: Write) -> None:
    path = write("p.csv", "click,p,u\n1,0.5,a\n0,0.2,a\n1,0.5,b\n0,0.7,b\n")
    words = [path, "--label", "click", "--score", "p", "--group", "u", "-m", "f1,gauc"]
    plain, torch = score(*words), score(*words, "--convention", "torchmetrics")
    assert [entry["value"] for entry in plain["metrics"]] == [0.8, 0.5]
    assert [entry["value"] for entry in torch["metrics"]] == [0.0, 0.5]


def test_the_definition_stands_below_the_table(call: Call, small: Small) -> None:
    plain = call("eval", small.qrels, small.run, "-m", "rr").out
    assert plain.endswith(f"all definitions are the defaults of pingce {pc.__version__}\n")
    changed = call("eval", small.qrels, small.run, "-m", "rr,ap(norm=min)@5", "--ties", "worst").out
    assert changed.splitlines()[-2:] == ["rr: ties:worst", "ap(norm=min)@5: ties:worst"]
    full = call("eval", small.qrels, small.run, "-m", "rr", "-v").out
    expected = pc.evaluate_ranking(small.qrels, small.run, "rr").signature("rr")
    assert full.splitlines()[-1] == f"rr: {expected}"
    assert pc.from_signature(full.splitlines()[-1].removeprefix("rr: ")).name == "rr"


def test_the_worst_queries(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, "-m", "rr", "--worst", "2").out
    *_, table, command = out.rstrip("\n").split("\n\n")
    last = [line.split() for line in table.splitlines()]
    assert last[0] == ["run", "query", "metric", "value"]
    assert last[2] == ["one", "q3", "rr", "0.0000"]
    assert len(last) == 4
    explained = call(*shlex.split(command)[1:])
    assert explained.code == 0
    assert "query 'q3'" in explained.out
    assert (
        "| one | q3 | rr | 0.0000 |" in call("eval", small.qrels, small.run, "-m", "rr", "--worst", "1", "-f", "md").out
    )


def test_the_worst_groups(call: Call, write: Write) -> None:
    path = write("p.csv", "click,p,u\n1,0.5,a\n0,0.2,a\n1,0.5,b\n0,0.7,b\n")
    words = ["eval", path, "--label", "click", "--score", "p", "-m", "auc"]
    out = call(*words, "--group", "u", "--worst", "1").out
    *_, table, command = out.rstrip("\n").split("\n\n")
    assert table.splitlines()[-1].split() == ["p", "b", "auc", "0.0000"]
    assert "auc = 0 / (2 · 1 · 1) = 0" in call(*shlex.split(command)[1:]).out
    assert "--worst is for queries" in call(*words, "--worst", "1").err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_list_of_tools(call: Call, lang: str) -> None:
    lines = call("conventions", "--lang", lang).out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(conventions())
    assert bool(re.search("[一-鿿]", "\n".join(lines))) == (lang == "zh")


@pytest.mark.parametrize("tool", conventions())
def test_the_page_of_a_tool_says_everything_its_file_does(call: Call, tool: str) -> None:
    convention = conventions()[tool]
    for lang in ("en", "zh"):
        page = call("conventions", tool, "--lang", lang).out
        assert convention.version in page
        assert all(entry.name in page and entry.source in page for entry in convention.entries)
        texts = [convention.about, *(defect.text for defect in convention.defects)]
        texts += [entry.note for entry in convention.entries if entry.note is not None]
        assert all((text.zh if lang == "zh" else text.en) in page for text in texts)


def test_a_metric_in_every_tool(call: Call) -> None:
    page = call("conventions", "ndcg@10").out
    assert page.startswith("# ndcg: ")
    for tool in ("fuxictr", "lenskit", "rectools", "sklearn", "trec_eval_9"):
        assert re.search(rf"^{tool} ", page, re.MULTILINE), tool
    assert call("conventions", "查准率", "--lang", "zh").out.startswith("# precision：")
    assert "no tool that pingce knows has it" in call("conventions", "ks_threshold").out
    missing = call("conventions", "ndgc")
    assert missing.code == 2
    assert "did you mean 'ndcg'?" in missing.err


def test_a_parameter_in_the_name_is_no_default(call: Call, small: Small) -> None:
    last = call("eval", small.qrels, small.run, "-m", "ndcg(gain=linear)@10").out.splitlines()[-1]
    assert last == f"beyond what the names say, all definitions are the defaults of pingce {pc.__version__}"


def test_a_signature_from_the_table_is_read_again(call: Call, small: Small) -> None:
    full = call("eval", small.qrels, small.run, "-m", "ndcg@10", "--convention", "ranx", "-v").out.splitlines()
    line = full[-1].removeprefix("ndcg@10: ")
    again = call("eval", small.qrels, small.run, "-m", line).out.splitlines()
    assert again[2].split()[-2:] == full[2].split()[-2:]
    assert call("explain", line, small.qrels, small.run, "--query", "q1").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [(["-q"], "-q does not go with --conventions"), (["--worst", "1"], "--worst does not go with --conventions")],
)
def test_what_does_not_go_with_several_conventions(call: Call, words: list[str], said: str) -> None:
    done = call("eval", *GRADED, "-m", "ndcg@10", "--conventions", "ranx", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("tools", ["", ","])
def test_no_convention_to_compare_with(call: Call, tools: str) -> None:
    assert "no convention was named" in call("eval", *GRADED, "--conventions", tools).err


def test_the_base_has_its_name_and_all_have_their_signatures(call: Call) -> None:
    words = ["eval", *GRADED, "-m", "ndcg@10", "--convention", "sklearn", "--conventions", "ranx,ranx", "-v"]
    lines = call(*words).out.splitlines()
    assert [line.split()[1] for line in lines[2:4]] == ["sklearn", "ranx"]
    assert lines[4] == ""
    assert [line.split(": ")[0] for line in lines[5:]] == ["sklearn", "ranx"]
    assert pc.from_signature(lines[6].removeprefix("ranx: ")).metric.gain == "linear"


def test_latex_of_classes_and_arrows(call: Call, write: Write) -> None:
    path = write("c.csv", "true,pred\n[x],[x]\nb|c,[x]\n")
    out = call("eval", path, "--true", "true", "--pred", "pred", "-m", "f1", "-q", "-f", "latex").out
    assert "\n{[}x{]} & " in out
    assert r"b\textbar{}c" in out
    compared = call("eval", *GRADED, "-m", "ndcg@10", "--conventions", "ranx", "-f", "latex").out
    assert r"exp2 $\to $ linear" in compared
    assert "→" not in compared
