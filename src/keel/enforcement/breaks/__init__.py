"""Breaks: the places that an edit breaks; one module for each kind of break, and the lookups that they share."""
