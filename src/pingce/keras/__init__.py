"""Metrics in Keras 3: `pingce.keras.Callback` writes them into `logs`, where other callbacks find them."""

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.keras.callback import Callback

__all__ = ["Callback"]

__getattr__ = importer(__name__, {"Callback": "callback"})
