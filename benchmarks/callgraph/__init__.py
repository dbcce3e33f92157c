"""Call graphs against hand-made truth: keel and a peer on the cases of `tests/spec/python/callgraph`."""
