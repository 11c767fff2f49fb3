"""One module a tool, run in that tool's environment as `python -m workers.TOOL`; each prints one line of JSON."""
