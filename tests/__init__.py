"""The tests of keel, a folder for each way of asking; what is measured is in `benchmarks`."""
