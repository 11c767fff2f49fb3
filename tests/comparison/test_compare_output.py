"""A comparison in every format: documents follow the schema, names are untrusted, both languages say the same."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import pingce as pc
from pingce.base.text import use_language
from pingce.comparison.call import compare_scores
from pingce.comparison.document import data_table, pair_table
from pingce.comparison.tables import fitted

SCHEMA = json.loads((Path(pc.__file__).parent / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
TRUTH = {f"q{i}": {"a": 1, "b": 2} for i in range(8)}
GOOD = {query: ["b", "a"] for query in TRUTH}
BAD = {query: ["x", "y", "a"] if query < "q6" else ["a"] for query in TRUTH}
HOSTILE = "<img src=x onerror=alert(1)>|&\\_$%{}#~^`*\n\x1b[31m\u202e</script>,\"'=1+1"


def rankings(**options: Any) -> pc.Comparison:
    return pc.compare(TRUTH, {"bad": BAD, "good": GOOD, "same": BAD}, ["mrr", "ndcg@3"], samples=200, **options)


def labels() -> pc.Comparison:
    random = np.random.default_rng(2)
    label = random.integers(0, 2, 60)
    models = {"a": random.random(60), "b": np.clip(0.4 * label + 0.5 * random.random(60), 0, 1)}
    metrics = ["auc", "gauc", "f1", "pcoc"]
    return pc.compare(label, models, metrics, task="binary", group=random.integers(0, 6, 60), samples=100)


def test_documents_follow_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    documents = [
        rankings().to_dict(),
        rankings(missing="skip", test="sign").to_dict(per_query=True),
        labels().to_dict(per_query=True),
        pc.compare(
            [1.0, 2, 3, 5], {"a": [1.0, 2, 4, 5], "b": [2.0, 2, 3, 4]}, task="regression", samples=100
        ).to_dict(),
        pc.compare(
            ["x", "y", "y"], {"a": ["x", "y", "x"], "b": ["x", "x", "y"]}, task="multiclass", samples=100
        ).to_dict(),
    ]
    for document in documents:
        VALIDATOR.validate(json.loads(json.dumps(document, allow_nan=False)))
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(documents[0] | {"more": 1})


def test_the_document_holds_what_the_comparison_says() -> None:
    found = rankings()
    document = found.to_dict(per_query=True)
    assert document["baseline"] == "bad"
    assert [model["letter"] for model in document["models"]] == ["a", "b", "c"]
    for metric in document["metrics"]:
        for model in metric["models"]:
            assert model["value"] == found.value(metric["name"], model["model"])
            assert model["better_than"] == found.beaten(metric["name"], model["model"])
            if model["model"] != "bad":
                gap = found.difference(metric["name"], model["model"])
                assert model["against_baseline"]["corrected_p"] == gap.corrected
                assert model["against_baseline"]["difference"] == gap.value
        assert {(pair["model"], pair["against"]) for pair in metric["pairwise"]} == {
            ("good", "bad"),
            ("same", "bad"),
            ("same", "good"),
        }
        assert metric["per_unit"]["ids"] == sorted(TRUTH)
    assert json.loads(found.to_json()) == found.to_dict()
    assert found.to_json() == rankings().to_json(), "same seed, same bytes"
    assert "corrected over" in str(document["how"])


def test_tables_show_best_letters_and_baseline() -> None:
    found = rankings(correction="none")
    table = found.table()
    assert table.titles[:3] == ["metric", "model", "value"]
    assert [row[1] for row in table.rows[:3]] == ["a  bad (baseline)", "b  good", "c  same"]
    assert [row[0] for row in table.rows] == ["mrr", "", "", "ndcg@3", "", ""]
    assert table.best == {(1, 2), (4, 2)}
    good = dict(zip(table.titles, table.rows[1], strict=True))
    assert good["better than"] == "ac"
    assert good["won/tied/lost"] == "6/2/0"
    assert good["Δ"] == f"{found.difference('mrr', 'good').value:+.4f}"
    same = dict(zip(table.titles, table.rows[2], strict=True))
    assert (same["Δ"], same["Δ %"], same["p"]) == ("0.0000", "0 %", "1.0000")
    assert "**" + f"{found.value('mrr', 'good'):.4f}" + "**" in found.to_markdown()
    assert f"<b>{found.value('mrr', 'good'):.4f}</b>" in found._repr_html_()
    full = found.table(full=True)
    assert full.titles[-4:] == ["p as it is", "pairs", "effect d", "detectable Δ"]
    assert full.rows[1][-3] == "8"


def test_a_narrow_terminal_leaves_out_columns_before_it_breaks_words() -> None:
    table = rankings().table()
    assert fitted(table, 200) == table
    middle, narrow = fitted(table, 115), fitted(table, 80)
    assert set(table.titles) - set(middle.titles) == {"won/tied/lost", "95 % interval"}
    assert narrow.titles == ["metric", "model", "value", "Δ", "p (holm)", "better than"]
    assert narrow.best == table.best
    assert narrow.rows[1][3] == table.rows[1][4]


def test_latex_is_as_papers_have_it() -> None:
    text = rankings(correction="none").to_latex(places=2)
    assert text.splitlines()[:3] == [r"% needs \usepackage{booktabs}", r"\begin{tabular}{llrr}", r"\toprule"]
    assert r"\textit{b} & good & \textbf{1.00}\textsuperscript{ac} & \textbf{1.00}\textsuperscript{ac} \\" in text
    assert r"\footnotesize" in text
    assert r"\bottomrule" in rankings().to_latex(full=True)


def test_data_tables_are_flat_and_complete() -> None:
    found = labels()
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [(row["metric"], row["model"]) for row in rows[:3]] == [("auc", "a"), ("auc", "b"), ("gauc", "a")]
    assert float(rows[1]["corrected_p"]) == found.difference("auc", "b").corrected
    assert rows[0]["difference"] == "" and rows[1]["against"] == "a"
    assert len(pair_table(found).rows) == 4
    assert all(len(row) == len(data_table(found).titles) for row in data_table(found).rows)


def test_hostile_names_stay_text_in_every_format() -> None:
    found = pc.compare(TRUTH, {HOSTILE: BAD, "x" * 3000: GOOD}, "mrr", samples=200)
    use_language("zh")
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<img" not in found._repr_html_()
    assert "<img" not in found.to_markdown()
    assert not re.search(r"(?<!\\)[#_](?!\{)", found.to_latex().split(r"\footnotesize")[0].replace("textit{", ""))
    assert all(
        line.count(" & ") == 2 for line in found.to_latex().split(r"\bottomrule")[0].splitlines()[3:] if "&" in line
    )
    assert all(
        line.startswith("| ") and line.endswith(" |") for line in found.to_markdown().split("\n\n")[0].splitlines()
    )
    lines = list(csv.reader(io.StringIO(found.to_csv(escape_formulas=True), newline="")))
    assert len({len(line) for line in lines}) == 1
    assert lines[1][2] == HOSTILE
    assert found.to_dict()["models"][0]["name"] == HOSTILE
    VALIDATOR.validate(found.to_dict(per_query=True))


def test_both_languages_have_the_same_shape_and_no_word_of_the_other() -> None:
    found = labels()
    english, document = found.table(), found.to_json()
    use_language("zh")
    chinese = found.table()
    assert [len(row) for row in chinese.rows] == [len(row) for row in english.rows]
    assert chinese.titles[1] == "模型"
    assert found.to_json() == document
    for text in (*found.how, *found.warnings, *(curve.text for curve in found.curves)):
        assert re.search("[一-鿿]", text.zh)
        assert not re.search("[一-鿿]", text.en)


def test_scores_that_exist_already_are_compared_as_they_are() -> None:
    models = {"bad": pc.evaluate_ranking(TRUTH, BAD, ["mrr"]), "good": pc.evaluate_ranking(TRUTH, GOOD, ["mrr"])}
    found = compare_scores(models, baseline="good")
    assert found.scores == models
    assert found.difference("mrr", "bad").value < 0
    with pytest.raises(pc.InputError, match="cannot be compared"):
        compare_scores(models | {"other": pc.evaluate_regression([1.0, 2], [1.0, 2], ["mae"])})
