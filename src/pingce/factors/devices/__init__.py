"""Counting with torch and Triton: whatever imports them."""
