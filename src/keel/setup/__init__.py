"""Setting keel up in a workspace and taking it out again: the configuration, files of agents, and what keel wrote."""
