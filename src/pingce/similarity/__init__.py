"""How alike two runs are: which items both show, in which order, and for which queries this changed most."""
