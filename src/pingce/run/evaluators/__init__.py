"""The evaluators of the four tasks: their signatures, and how a batch is read."""
