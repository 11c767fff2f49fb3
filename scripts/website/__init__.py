"""The documentation site: what `make site` makes of docs/, the metrics' declarations, the conventions and the docstrings."""
