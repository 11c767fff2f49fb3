"""Curves: exact points as Arrow tables, compared without rounding, drawn with matplotlib where it is installed."""
