"""The task of uplift: all its parts; `tasks/uplift.py` declares it."""
