"""The task of several labels per row: all its parts; `tasks/multilabel.py` declares it."""
