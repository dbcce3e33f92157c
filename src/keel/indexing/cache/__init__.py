"""What the daemon keeps of the graph in memory from one run to the next."""
