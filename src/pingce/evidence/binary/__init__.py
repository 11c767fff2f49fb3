"""Evidence of labels and scores."""
