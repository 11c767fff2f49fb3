"""The same metrics for parts of the data: by country, by device, by how active a user is."""
