"""The scorer of scikit-learn that knows the classes of the model it asks; scikit-learn is imported here."""

from __future__ import annotations

from typing import Any

from sklearn.metrics._scorer import _Scorer


class ClassScorer(_Scorer):  # type: ignore[misc]
    """What `make_scorer` makes, whose function hears the model's classes too: a fold may have trained on fewer than there are."""

    def _score(self, method_caller: Any, estimator: Any, X: Any, y_true: Any, **columns: Any) -> Any:  # noqa: N803
        classes = getattr(estimator, "classes_", None)
        return super()._score(method_caller, estimator, X, y_true, classes=classes, **columns)
