"""Evidence of rankings."""
