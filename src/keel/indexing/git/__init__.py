"""Git's view of a folder: its repository, its files, and their content in a commit."""
