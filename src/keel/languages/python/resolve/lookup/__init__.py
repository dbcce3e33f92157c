"""Look-ups: which file an import names, and what a name of a module or an attribute of a class means."""
