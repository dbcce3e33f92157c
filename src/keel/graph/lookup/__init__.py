"""From what a user types to nodes: handles, candidates, scopes, and the nearest names when nothing matches."""
