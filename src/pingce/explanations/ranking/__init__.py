"""The worked calculations of metrics of rankings: a file beside each file of `metrics/ranking`."""
