"""What comes before a number: parts of a log that every machine draws alike, and what leaks from one part into another."""
