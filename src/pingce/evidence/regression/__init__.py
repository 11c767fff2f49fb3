"""Evidence of numbers."""
