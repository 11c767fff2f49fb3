"""What everything stands on: text in two languages, errors, exact sums, tables, files. Nothing of pingce is imported here."""
