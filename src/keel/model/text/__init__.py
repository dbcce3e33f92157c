"""Words of names, prose and counts, as search and messages use them."""
