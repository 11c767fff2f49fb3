"""The evaluate calls on Spark data frames, as type checkers know them; `make docs` writes a line for each task."""

from pingce.multilabel.spark import evaluate_multilabel as evaluate_multilabel
from pingce.offpolicy.spark import evaluate_offpolicy as evaluate_offpolicy
from pingce.spark.api import evaluate_binary as evaluate_binary
from pingce.spark.api import evaluate_multiclass as evaluate_multiclass
from pingce.spark.api import evaluate_ranking as evaluate_ranking
from pingce.spark.api import evaluate_regression as evaluate_regression
from pingce.spark.logs import split as split
from pingce.uplift.spark import evaluate_uplift as evaluate_uplift

__all__: list[str]
