"""Documents of every metric, written on one machine and on another, and compared byte for byte."""
