"""Evidence to values. A metric lives in one of these files and nowhere else; importing the file makes it known."""
