"""One module a tool (pingce: two), run in its environment as `python -m workers.TOOL`; each prints one line of JSON."""
