"""All metrics of off-policy values; importing this makes them known."""

from pingce.offpolicy import by_weights, weighing, with_model

__all__ = ["by_weights", "weighing", "with_model"]
