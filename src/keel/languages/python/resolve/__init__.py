"""From Python references to edges, by the language's own rules for imports and scopes.

Module names are `modules`, what a file offers to others is `tables`, meaning across files is `lookup`, what values may
be is `evaluator`, and `link` puts them together for one file.
"""
