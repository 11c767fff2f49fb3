"""Random and mutated input for every parser: `python -m tests.fuzz --cases 1000000`, and a short run in the suite."""
