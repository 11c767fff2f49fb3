"""What other tools mean by their metrics: one small file a tool, and how a metric is read under it."""
