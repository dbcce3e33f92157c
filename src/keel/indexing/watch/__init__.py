"""Watching: the paths that were written since the last run, as the operating system reports them."""
