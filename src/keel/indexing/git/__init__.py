"""What git knows of a folder: its repository, its files, and what they were in a commit."""
