"""Argument flow: what calls and stores hand to the parameters and attributes of other files, to a fixpoint."""
