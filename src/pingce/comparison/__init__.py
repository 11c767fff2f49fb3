"""Several models on the same data, or one under several conventions: `pingce.compare`, `pingce.compare_conventions`."""
