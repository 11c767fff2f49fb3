"""Ids and file names are untrusted text: no format may be broken, and no terminal driven, by what they contain."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import unicodedata
from pathlib import Path

import pytest

from .conftest import Call, Small, Write
from .shell import Word, command, process, shell, terminal

HOSTILE = [
    "<script>alert(1)</script>", "a|b", "x&y;", "50%", "\x1b[31mred", "two\nlines", "rtl\u200fmark", "\u202eoverride", "中文查询",
    "back\\slash", "$x_1^2~{y}#", "\x9b31m", "`code` *bold* [link](to)", "tab\there", "carriage\rreturn", "\u2028line", "\x7f",
    "quote\"d, 'so'", "𝕏😀", "é", "sp ace", "\\n", "\ufeffmark",
]  # fmt: skip
ESCAPE = r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[nrt])"


def looks_like(cell: str, original: str) -> bool:
    """Whether the cell shows this id: printable letters as they are, others as an escape."""
    pattern = "".join(re.escape(letter) if letter.isprintable() else ESCAPE for letter in original)
    return re.fullmatch(pattern.replace(r"\ ", r"(?: |\\x20|\\u0020)"), cell) is not None


def shows_all(cells: list[str]) -> None:
    assert len(cells) == len(HOSTILE)
    for original in HOSTILE:
        assert any(looks_like(cell, original) for cell in cells), original


def harmless(text: str) -> None:
    """Nothing in it moves a cursor, changes a colour, breaks a line or turns the writing direction."""
    assert [letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Cs")] == []


@pytest.fixture(params=["json", "jsonl"])
def hostile(write: Write, request: pytest.FixtureRequest) -> list[Path]:
    """Qrels and a run in which every query and item id is hostile."""
    if request.param == "json":
        text = json.dumps({name: {name: 1, "other": 2} for name in HOSTILE})
        return [write("truth.json", text), write("found.json", text)]
    return [
        write(name, "\n".join(json.dumps({"query": id, "item": id, number: 1}) for id in HOSTILE))
        for name, number in (("truth.jsonl", "grade"), ("found.jsonl", "score"))
    ]


def rows(printed: str) -> list[str]:
    """The lines of the table of queries."""
    for line in printed.split("\n"):
        harmless(line)
    return printed.split("\n\n", maxsplit=1)[0].split("\n")


def output(call: Call, hostile: list[Path], out_format: str) -> str:
    done = call("eval", *hostile, "-m", "rr", "-q", "-f", out_format, "--quiet")
    assert done.code == 0
    return done.out


def test_table(call: Call, hostile: list[Path]) -> None:
    shows_all([line.rsplit(maxsplit=1)[0].rstrip() for line in rows(output(call, hostile, "table"))[2:]])


def test_markdown(call: Call, hostile: list[Path]) -> None:
    lines = rows(output(call, hostile, "md"))
    assert not any("<" in line or re.search(r"&(?!amp;|lt;|gt;)", line) for line in lines)
    cells = [re.split(r"(?<!\\)(?:\\\\)*\|", line)[1].strip() for line in lines[2:]]
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in lines)
    assert not any(re.search(r"(?<!\\)(?:\\\\)*[`*\[\]_]", cell) for cell in cells)
    shows_all([html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell)) for cell in cells])


LATEX = {
    r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_", r"\{": "{", r"\}": "}", r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<", r"\textgreater{}": ">",
    r"\textbar{}": "|", "{[}": "[", "{]}": "]", "{*}": "*", r"\'{e}": "e\u0301", r"\dots{}": "…",
}  # fmt: skip
LATEX_TOKEN = re.compile("|".join(sorted(map(re.escape, LATEX), key=len, reverse=True)))


def test_latex(call: Call, hostile: list[Path]) -> None:
    needs, *lines = rows(output(call, hostile, "latex"))
    assert needs.startswith(r"% needs \usepackage{booktabs}; for ")
    assert lines[:2] + lines[3:4] + lines[-2:] == [
        r"\begin{tabular}{lr}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
    cells = []
    for line in lines[4:-2]:
        found = re.fullmatch(r"(.*) & 1\.0000 \\\\", line)
        assert found, line
        left = LATEX_TOKEN.sub("", found[1])
        assert not set(left) & set("\\&%$#_{}~^"), line
        cells.append(LATEX_TOKEN.sub(lambda token: LATEX[token[0]], found[1]))
    shows_all(cells)


def test_trec(call: Call, hostile: list[Path]) -> None:
    lines = output(call, hostile, "trec").rstrip("\n").split("\n")
    for line in lines:
        harmless(line.replace("\t", ""))
    fields = [re.fullmatch(r"rr\s*\t(\S+)\t(\S+)", line) for line in lines]
    assert [line for line, match in zip(lines, fields, strict=True) if not match] == []
    shows_all([match[1] for match in fields if match][:-1])


@pytest.mark.parametrize(("out_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_ids_come_back_as_they_were(call: Call, hostile: list[Path], out_format: str, delimiter: str) -> None:
    text = output(call, hostile, out_format)
    found = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert sorted(row["query"] for row in found) == sorted(HOSTILE)
    assert {row["rr"] for row in found} == {"1.0"}


def test_json_ids_come_back_as_they_were(call: Call, hostile: list[Path]) -> None:
    assert sorted(json.loads(output(call, hostile, "json"))["per_query"]["query"]) == sorted(HOSTILE)
    lines = output(call, hostile, "jsonl").rstrip("\n").split("\n")
    assert sorted(json.loads(line)["query"] for line in lines) == sorted(HOSTILE)


NAMES = ["<b>&|%", "\x1b[31m", "a\nb", "\u202eb", "中文"]


@pytest.mark.parametrize("out_format", ["table", "md", "latex", "trec"])
@pytest.mark.parametrize("name", NAMES)
def test_names_of_runs_are_untrusted_too(call: Call, small: Small, write: Write, name: str, out_format: str) -> None:
    hostile = write(f"{name}.run", small.run.read_text())
    done = call("eval", small.qrels, small.run, hostile, "-m", "rr", "-f", out_format)
    plain = call("eval", small.qrels, small.run, small.other, "-m", "rr", "-f", out_format)
    assert done.out.count("\n") == plain.out.count("\n")
    for line in (done.out + done.err).split("\n"):
        harmless(line.replace("\t", ""))


@pytest.mark.deep("a process a format and encoding")
@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape"])
@pytest.mark.parametrize("out_format", ["json", "csv", "table"])
def test_a_file_name_that_is_not_unicode(small: Small, write: Write, out_format: str, encoding: str) -> None:
    odd = write("\udcff.run", small.run.read_text())
    words: list[Word] = ["eval", small.qrels, odd, small.run, "-m", "rr", "-f", out_format]
    done = shell(*words, env={"PYTHONIOENCODING": encoding})
    assert (done.code, "Traceback" in done.err) == (0, False)
    done.out.encode("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["truth.qrels", "no\nsuch.run"], ["truth.qrels", "bell.run"], ["truth.qrels", "one.run", "-m", "x\ny"],
        ["truth.qrels", "one.run", "--columns", "a\nb"], ["truth.qrels", "other.json"], ["truth.qrels", "head.csv"],
    ],
)  # fmt: skip
def test_messages_are_one_harmless_line(
    call: Call, small: Small, write: Write, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(small.qrels.parent)
    write("bell.run", "q1 Q0 \x07a\x9b31m 1 high t\n")
    write("other.json", json.dumps({"\x07\x9b\n": {"a": 1}}))
    write("head.csv", "\x07query\x9b,thing\nq1,a\n")
    done = call("eval", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("\n")
    harmless(done.err[:-1])


def test_messages_do_not_drive_a_terminal(small: Small, write: Write) -> None:
    bad = write("red.run", "q1 Q0 \x1b[31ma 1 high t\n")
    with terminal() as screen, process(command("eval", small.qrels, bad), err=screen.far) as running:
        screen.leave()
        screen.read_until(lambda seen: seen.endswith(b"t\r\n"))
        assert running.wait() == 2
        assert "not a number" in screen.text
        assert "\x1b" not in screen.text
