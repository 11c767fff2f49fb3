"""Engines decide where evidence is computed: here, from files that are larger than memory. They know no metric."""
