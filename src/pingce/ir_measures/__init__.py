"""A provider for ir_measures: after `import pingce.ir_measures` it answers `ir_measures.calc` and PyTerrier's experiments.

`ir_measures.pingce` is the provider; `python -m pingce.ir_measures experiment.py` runs a program without changing a line of it.
"""

from pingce.ir_measures.provider import PingceProvider, register

__all__ = ["PingceProvider"]

register()
