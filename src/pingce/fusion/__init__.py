"""Several runs made into one, by ranks or by scores."""
