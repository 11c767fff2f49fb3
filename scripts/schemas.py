"""What the schemas of documents say of each task, from its declaration: its name, its policies, and what stands in its folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from pingce.evidence.policy_set import PolicySet
from pingce.tasks import TASKS


def scores_schema(text: str) -> str:
    """The schema of scores with a kind of document for every task, and its policies with their values."""
    kinds = ",\n".join(f'        {{ "$ref": "#/$defs/{name}" }}' for name in TASKS)
    text = _between(r'"run": {\n +"oneOf": \[\n', kinds, text)
    for name, body in _definitions():
        block = f'    "{name}": {body}'
        text, times = re.subn(rf'^    "{name}": {{.*?^    }}', lambda _, block=block: block, text, flags=re.M | re.S)  # type: ignore[misc]
        if not times:
            text = text.removesuffix("\n  }\n}\n") + f",\n{block}\n  }}\n}}\n"
    return text


def comparison_schema(text: str) -> str:
    """The schema of comparisons with the name of every task."""
    return _between(r'"task": {\n +"enum": \[\n', ",\n".join(f'        "{name}"' for name in TASKS), text)


SCHEMAS = {
    "src/pingce/schema/scores.schema.json": scores_schema,
    "src/pingce/schema/comparison.schema.json": comparison_schema,
}


def _between(start: str, lines: str, text: str) -> str:
    """A text with these lines in the list that starts so."""
    return re.sub(rf"({start}).*?(\n +\])", lambda match: f"{match[1]}{lines}{match[2]}", text, flags=re.S)


def _definitions() -> Iterator[tuple[str, str]]:
    """The policies of each task, and all else that a task in a folder says of its documents (`schema.json`)."""
    for name, task in TASKS.items():
        folder = files("pingce") / name / "schema.json"
        written: dict[str, Any] = json.loads(folder.read_text(encoding="utf-8")) if folder.is_file() else {}
        for key, value in written.items():
            yield key, json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n    ")
        yield f"{name}_policies", _policies(task.load("policies"))


def _policies(policies: type[PolicySet]) -> str:
    """An object that has every policy, with its values; those that came later may be missing."""
    required = [name for name in policies.declarations() if name not in (*policies.unwritten, *policies.younger)]
    lines = ",\n".join(f'        "{name}": {_values(policies, name)}' for name in policies.declarations())
    return f"""{{
      "type": "object",
      "required": {json.dumps(required)},
      "additionalProperties": false,
      "properties": {{
{lines}
      }}
    }}"""


def _values(policies: type[PolicySet], name: str) -> str:
    number = policies.declarations()[name].number
    if number is None:
        return f'{{ "enum": {json.dumps(policies.choices[name])} }}'
    above = "" if number.above is None else f', "exclusiveMinimum": {number.above}'
    kinds = [f'{{ "type": "number"{above} }}', *(f'{{ "const": "{word}" }}' for word in number.words)]
    return kinds[0] if len(kinds) == 1 else f'{{ "oneOf": [{", ".join(kinds)}] }}'
