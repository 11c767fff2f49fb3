"""What lists show: which item stands where, and what is known of items."""
