"""How an evaluation runs: rows come in, evidence is gathered, metrics are valued."""
