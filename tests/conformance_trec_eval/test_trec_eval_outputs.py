"""What trec_eval 9.0.8 and 10.0-rc3 printed, byte for byte.

The data folder holds six small inputs (CASE.qrels, CASE.run) and the program's outputs for seven sets of options, as
CASE.OPTIONS.VERSION.out. `pingce trec_eval` with the same options must print the same bytes, every line of them.
"""

from __future__ import annotations

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


OUTPUTS = [Output(case, options, version) for case in CASES for options in OPTIONS for version in VERSIONS]


def measure_of(line: str) -> str:
    return line.split("\t", maxsplit=1)[0].strip()


@pytest.mark.parametrize("output", OUTPUTS, ids=str)
def test_every_byte_is_reproduced(output: Output, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(output.words()) == 0
    printed, said = capsysbinary.readouterr()
    assert printed == output.path.read_bytes()
    # Only graded rbp, which trec_eval 10 computes from numbers that it never set, has a word beside it.
    graded = output.case in ("edges", "graded", "ties")
    assert bool(said) == (graded and output.version == "v10" and output.options == "c_q_all_trec")


def test_no_output_is_left_out() -> None:
    """The files in the folder are the ones compared, all 84 of them."""
    names = {output.path.name for output in OUTPUTS}
    assert names == {path.name for path in DATA.glob("*.out")}
    assert len(names) == 84


def test_number_of_lines_compared() -> None:
    """An empty comparison would pass: these are the lines there are."""
    assert sum(len(output.lines()) for output in OUTPUTS) == 30660
    for readme in ("README.md", "README.zh-CN.md"):
        assert "30,660" in (Path(__file__).parents[2] / readme).read_text(encoding="utf-8")


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
        if measure.strip() in ("runid", "relstring")
        else f"Z{measure}\t{topic}\t{float(value):6.4f}\n".replace("   nan", "  -nan")
    )


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES)
def test_distances_from_0_in_units_of_1_are_the_values(
    case: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = Output(case, "c_q_all_trec", version)
    lines = output.lines()
    pairs = {(line.split("\t")[1], measure_of(line)) for line in lines}
    pairs |= {(topic, measure) for topic, _ in pairs for measure in ("gm_map", "gm_bpref")}
    reference = tmp_path / "means"
    reference.write_text("".join(f"{topic} {measure} 0 1\n" for topic, measure in sorted(pairs)))
    command, *words = output.words()
    assert run([command, "-Z", str(reference), *words]) == 0
    assert capsys.readouterr().out == "".join(map(standardized, lines))
