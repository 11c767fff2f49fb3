"""The scorer of scikit-learn that knows the classes of the model it asks; scikit-learn is imported here."""

from __future__ import annotations

from typing import Any

from sklearn.metrics import make_scorer

from pingce.training.scorer import ScoreFunction


class ClassScorer:
    """What `make_scorer` makes, whose function sees all columns of probabilities and hears which classes they are.

    A fold may have trained on fewer classes than there are; of two, scikit-learn's own scorer would show one column. That one keeps the requests
    of metadata.
    """

    def __init__(
        self, function: ScoreFunction, *, greater_is_better: bool, response_method: str | tuple[str, ...]
    ) -> None:
        self._measure, self._sign = function.measure, 1 if greater_is_better else -1
        self._methods = (response_method,) if isinstance(response_method, str) else tuple(response_method)
        self._plain = make_scorer(function, greater_is_better=greater_is_better, response_method=response_method)

    def __repr__(self) -> str:
        return repr(self._plain)

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None, **columns: Any) -> float:  # noqa: N803
        """What a fitted model is worth on these rows; more is better."""
        if sample_weight is not None:
            columns["sample_weight"] = sample_weight
        method = next((name for name in self._methods if hasattr(estimator, name)), self._methods[0])
        function = ScoreFunction(self._measure, getattr(estimator, "classes_", None))
        return self._sign * function(y_true, getattr(estimator, method)(X), **columns)

    def set_score_request(self, **requests: Any) -> ClassScorer:
        """Ask for columns of metadata, as every scorer of scikit-learn does."""
        self._plain.set_score_request(**requests)
        return self

    def get_metadata_routing(self) -> Any:
        """The columns that were asked for."""
        return self._plain.get_metadata_routing()
