"""From what a person types to nodes: handles, candidates, scopes, and the nearest names when there is none."""
