"""Whatever the user has, as columns: query, item and a number. No metric knows where data came from."""

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.inputs.columns import Rows, Source
    from pingce.inputs.ids import Ids, IntIds, StringIds
    from pingce.inputs.ranking import read_excluded, read_run, read_truth, read_weights

__all__ = ["Ids", "IntIds", "Rows", "Source", "StringIds", "read_excluded", "read_run", "read_truth", "read_weights"]

_MODULES = {
    "columns": ("Rows", "Source"),
    "ids": ("Ids", "IntIds", "StringIds"),
    "ranking": ("read_excluded", "read_run", "read_truth", "read_weights"),
}
__getattr__ = importer(__name__, {name: module for module, names in _MODULES.items() for name in names})
