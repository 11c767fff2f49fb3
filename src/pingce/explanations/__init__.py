"""The worked calculation of a number: `pingce.explain("ndcg@10", qrels, run, query="q17")`."""
