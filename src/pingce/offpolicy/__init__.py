"""The task of off-policy values: all its parts; `tasks/offpolicy.py` declares it."""
