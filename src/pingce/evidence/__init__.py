"""Columns to evidence: the few numbers that decide every metric of a task. No metric and no file is known here."""
