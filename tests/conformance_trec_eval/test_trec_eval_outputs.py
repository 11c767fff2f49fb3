"""What trec_eval 9.0.8 and 10.0-rc3 printed, byte for byte.

The data folder holds six small inputs (CASE.qrels, CASE.run) and the program's outputs for seven sets of options, as
CASE.OPTIONS.VERSION.out. `pingce trec_eval` with the same options must print the same bytes, without the lines of
measures that pingce does not have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.cli import run

DATA = Path(__file__).parent / "data"
CASES = ("edges", "float32", "graded", "plain", "short", "ties")
VERSIONS = ("v9", "v10")

OPTIONS = {
    "c_official": "-c",
    "c_q_all_trec": "-c -q -m all_trec",
    "c_q_l2": "-c -q -l 2 -m official",
    "c_M10": "-c -M 10 -m official",
    "c_J": "-c -J -m official",
    "c_set": "-c -m set",
    "c_q_cut": "-c -q -n -m ndcg_cut.3,7 -m P.3,7 -m map_cut.7 -m success.3 -m recall.7",
}

# Measures that pingce does not have, as they are printed.
NOT_OURS = frozenset(
    ["relstring", "infAP", "binG", "G", "ndcg_rel", "Rndcg", "gm_bpref", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    + [f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)]
)


@dataclass(frozen=True)
class Output:
    """One file of printed lines: which input, which options, which version."""

    case: str
    options: str
    version: str

    def __str__(self) -> str:
        return f"{self.case}.{self.options}.{self.version}"

    @property
    def path(self) -> Path:
        return DATA / f"{self}.out"

    def words(self) -> list[str]:
        """The command line, but for the name of the program."""
        files = [str(DATA / f"{self.case}.{kind}") for kind in ("qrels", "run")]
        return ["trec_eval", *OPTIONS[self.options].split(), "--version", self.version.removeprefix("v"), *files]

    def lines(self) -> list[str]:
        """What trec_eval printed, line by line, ends of lines included."""
        return self.path.read_bytes().decode("ascii").splitlines(keepends=True)

    def lines_in_scope(self) -> list[str]:
        """Without the measures that pingce does not have."""
        return [line for line in self.lines() if measure_of(line) not in NOT_OURS]


OUTPUTS = [Output(case, options, version) for case in CASES for options in OPTIONS for version in VERSIONS]


def measure_of(line: str) -> str:
    return line.split("\t", maxsplit=1)[0].strip()


@pytest.mark.parametrize("output", OUTPUTS, ids=str)
def test_every_byte_is_reproduced(output: Output, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(output.words()) == 0
    printed, said = capsysbinary.readouterr()
    wanted = output.lines_in_scope()
    assert wanted
    assert printed == "".join(wanted).encode("ascii")
    assert bool(said) == (len(wanted) < len(output.lines()))


def test_no_output_is_left_out() -> None:
    """The files in the folder are the ones compared, all 84 of them."""
    names = {output.path.name for output in OUTPUTS}
    assert names == {path.name for path in DATA.glob("*.out")}
    assert len(names) == 84


def test_number_of_lines_compared() -> None:
    """An empty comparison would pass: these are the lines there are, and those that are compared."""
    numbers = [(len(output.lines()), len(output.lines_in_scope())) for output in OUTPUTS]
    assert tuple(map(sum, zip(*numbers, strict=True))) == (30660, 26496)
    for readme in ("README.md", "README.zh-CN.md"):
        text = (Path(__file__).parents[2] / readme).read_text(encoding="utf-8")
        assert "26,496" in text
        assert "30,660" in text


def test_measures_left_out_are_really_printed() -> None:
    """A name in the list of measures without counterpart that trec_eval never prints would hide a typing mistake."""
    assert {measure_of(line) for output in OUTPUTS for line in output.lines()} >= NOT_OURS


def test_measures_left_out_are_those_named_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*Output("plain", "c_q_all_trec", "v10").words(), "--lang", "en"]) == 0
    (said,) = capsys.readouterr().err.splitlines()
    families = {re.sub(r"_[\d.]+$", "", measure) for measure in NOT_OURS}
    assert set(said.split(": ")[-1].split(", ")) == families


@pytest.mark.parametrize("options", ["c_official", "c_q_l2", "c_M10", "c_J", "c_set", "c_q_cut"])
def test_official_and_set_lack_nothing(options: str) -> None:
    outputs = [Output(case, options, version) for case in CASES for version in VERSIONS]
    assert [output for output in outputs if output.lines() != output.lines_in_scope()] == []


# What each version does to the same file under evaluate_ranking.
POLICIES: dict[str, Any] = {"missing": "zero", "undefined": "zero", "ties": "id", "summation": "sequential"}


def evaluate(case: str, metric: str, score_type: str) -> float:
    found: float = pc.evaluate_ranking(
        DATA / f"{case}.qrels",
        DATA / f"{case}.run",
        [metric],
        score_type=score_type,  # type: ignore[arg-type]
        **POLICIES,
    )[metric]
    return found


@pytest.mark.filterwarnings("ignore")  # the inputs are full of what rightly warns
@pytest.mark.parametrize("name", ["P_10", "ndcg_cut_10", "recip_rank"])
def test_spellings_of_trec_eval(name: str) -> None:
    """A spelling that belongs to trec_eval carries its definition."""
    lines = Output("graded", "c_q_all_trec", "v9").lines()
    assert f"{name:<22}\tall\t{evaluate('graded', name, 'float32'):6.4f}\n" in lines


@pytest.mark.filterwarnings("ignore")
def test_the_versions_differ() -> None:
    """Single precision makes ties: the two versions order the float32 case differently, and so must pingce."""
    assert evaluate("float32", "map", "float32") != evaluate("float32", "map", "float64")


def standardized(line: str) -> str:
    """The line as -Z prints it where every mean is 0 and every deviation 1."""
    measure, topic, value = line.rstrip("\n").split("\t")
    return (
        line
        if measure.strip() == "runid"
        else f"Z{measure}\t{topic}\t{float(value):6.4f}\n".replace("   nan", "  -nan")
    )


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES)
def test_distances_from_0_in_units_of_1_are_the_values(
    case: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = Output(case, "c_q_all_trec", version)
    lines = output.lines_in_scope()
    pairs = {(line.split("\t")[1], measure_of(line)) for line in lines}
    pairs |= {(topic, "gm_map") for topic, _ in pairs}
    reference = tmp_path / "means"
    reference.write_text("".join(f"{topic} {measure} 0 1\n" for topic, measure in sorted(pairs)))
    command, *words = output.words()
    assert run([command, "-Z", str(reference), *words]) == 0
    assert capsys.readouterr().out == "".join(map(standardized, lines))
