"""Reading the numbers: what they say, in words, and what in the data may mislead. Computed when asked for."""
