"""The worked calculations of metrics of labels and scores: a file beside each file of `metrics/binary`."""
