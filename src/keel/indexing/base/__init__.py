"""The accepted tree: which files differ from it, what they said, and how they were linked."""
