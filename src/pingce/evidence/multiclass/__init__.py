"""Evidence of classes."""
