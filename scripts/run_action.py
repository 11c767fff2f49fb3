"""Run the shell steps of a composite GitHub Action here: python scripts/run_action.py action.yml files="qrels.txt new.run" …

Inputs are NAME=VALUE. Steps that use other actions are named and passed over. The folder that is worked in is the repository to be
checked; what GitHub gives a step (GITHUB_OUTPUT, GITHUB_STEP_SUMMARY …) lies in a folder of its own, whose path is printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

Values = dict[str, str]


class Run(NamedTuple):
    """What the steps left behind."""

    code: int
    outputs: dict[str, Values]
    "By the id of a step."
    summary: str
    log: str


def value_of(expression: str, known: Mapping[str, str]) -> str:
    """An expression such as inputs.files, steps.check.outputs.passed, or one that compares and joins with && and ==."""
    parts = [part.strip() for part in expression.split("&&")]
    if len(parts) > 1:
        return "true" if all(value_of(part, known) == "true" for part in parts) else "false"
    if "==" in expression:
        left, right = (value_of(side.strip(), known) for side in expression.split("=="))
        return str(left == right).lower()
    if expression.startswith("'"):
        return expression.strip("'")
    return known.get(expression, "")


def filled(text: str, known: Mapping[str, str]) -> str:
    """The text with every ${{ … }} replaced by its value."""
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: value_of(match[1], known), str(text))


def read_pairs(path: Path) -> Values:
    """The lines NAME=VALUE of a file of outputs."""
    return dict(line.split("=", 1) for line in path.read_text("utf-8").splitlines() if "=" in line)


def run_action(action: Path, inputs: Mapping[str, str], env: Mapping[str, str], folder: Path) -> Run:
    """Run the steps in order until one fails; `env` is what GitHub says of the run, `folder` where the files of it lie."""
    import yaml

    document: Any = yaml.safe_load(action.read_text("utf-8"))
    unknown = set(inputs) - set(document["inputs"])
    if unknown:
        raise SystemExit(f"the action has no input {', '.join(sorted(unknown))}")
    known = {f"github.{name.removeprefix('GITHUB_').lower()}": value for name, value in env.items()}
    for name, about in document["inputs"].items():
        if about.get("required") and name not in inputs:
            raise SystemExit(f"the action needs the input {name}")
        known[f"inputs.{name}"] = inputs.get(name, filled(about.get("default", ""), known))
    summary, log, outputs = folder / "summary.md", [], {}
    summary.touch()
    for at, step in enumerate(document["runs"]["steps"]):
        name = step.get("name") or step.get("uses")
        if "uses" in step or value_of(str(step.get("if", "'true'")).strip("${ }"), known) != "true":
            log.append(f"== {name}: passed over")
            continue
        written = folder / f"output-{at}"
        written.touch()
        given = {
            "GITHUB_OUTPUT": written,
            "GITHUB_STEP_SUMMARY": summary,
            "GITHUB_ACTION_PATH": action.parent,
            "RUNNER_TEMP": folder,
        }
        variables = {key: filled(value, known) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"], known)],
            env={**os.environ, **env, **{key: str(path) for key, path in given.items()}, **variables},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
        )  # fmt: skip
        log.append(f"== {name}: {done.returncode}\n{done.stdout}")
        outputs[step.get("id", name)] = read_pairs(written)
        known |= {f"steps.{step.get('id', name)}.outputs.{key}": value for key, value in read_pairs(written).items()}
        if done.returncode != 0:
            return Run(done.returncode, outputs, summary.read_text("utf-8"), "\n".join(log))
    return Run(0, outputs, summary.read_text("utf-8"), "\n".join(log))


def main() -> int:
    """Run with the inputs of the command line, as a push to the branch main."""
    action, *words = sys.argv[1:]
    folder = Path(tempfile.mkdtemp(prefix="action-"))
    env = {"GITHUB_EVENT_NAME": "push", "GITHUB_REF_NAME": "main", "GITHUB_REPOSITORY": "scratch/scratch"}
    done = run_action(Path(action).absolute(), dict(word.split("=", 1) for word in words), env, folder)
    print(done.log, done.summary, folder, sep="\n")
    return done.code


if __name__ == "__main__":
    sys.exit(main())
