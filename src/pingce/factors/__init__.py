"""Ranking evidence straight from vectors of users and items: ranks are counted, and no score matrix is kept."""
