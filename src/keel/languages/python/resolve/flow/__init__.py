"""Argument flow: what calls and stores pass to the parameters and attributes of other files, to a fixpoint."""
