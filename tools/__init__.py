"""Tools for those who work on keel; nothing here is installed."""
