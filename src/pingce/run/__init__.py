"""Requests to scores: states that see rows, the evaluator over them, and the feeds that bring rows in."""
