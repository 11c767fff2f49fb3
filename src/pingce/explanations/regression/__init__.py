"""The worked calculations of metrics of numbers: a file beside each file of `metrics/regression`."""
