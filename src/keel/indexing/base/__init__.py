"""The accepted tree: which files differ from it, their former facts, and their former links."""
