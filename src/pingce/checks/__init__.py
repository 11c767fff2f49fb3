"""Whether scores are good enough: `pingce.check(scores, min={"ndcg@10": 0.4})`."""
