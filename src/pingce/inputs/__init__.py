"""Whatever the user has, as columns: query, item and a number. No metric knows where data came from."""

from pingce.inputs.columns import Rows, Source
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.ranking import read_excluded, read_run, read_truth, read_weights

__all__ = ["Ids", "IntIds", "Rows", "Source", "StringIds", "read_excluded", "read_run", "read_truth", "read_weights"]
