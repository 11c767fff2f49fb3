"""The worked calculations of metrics of classes: a file beside each file of `metrics/multiclass`."""
