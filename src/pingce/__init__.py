"""pingce (评测): exact, explained and fast evaluation of rankings, click predictions, classifiers and numbers.

>>> import pingce as pc
>>> scores = pc.evaluate_ranking({"q1": {"a": 3, "b": 1}}, {"q1": {"b": 0.9, "a": 0.7}}, ["ndcg@10", "mrr"])
>>> round(scores["ndcg@10"], 6)
0.70981
"""

from __future__ import annotations

from pingce.base.process import is_command, leave_at_once

if is_command():
    leave_at_once()

from typing import Any

from pingce.base.lazy import stub_importer
from pingce.base.process import refuse_subinterpreter

__version__ = "0.2.0"

_names, _get = stub_importer(__name__)


def __getattr__(name: str) -> Any:
    """A public name of the stub, imported when it is first used: `import pingce` itself costs next to nothing."""
    if name == "__all__":
        return __dir__()
    if name in _names():
        refuse_subinterpreter()
    if name == "evaluate":  # no call, but the sentence that names the one that is meant
        from pingce.tasks.calls import evaluate

        return evaluate
    return _get(name)


def __dir__() -> list[str]:
    return ["__version__", *_names()]
