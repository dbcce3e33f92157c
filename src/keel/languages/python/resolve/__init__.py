"""Resolution: from Python references to edges, by the language's own rules for imports and scopes.

`lookup` resolves module names and names across files, `evaluate` computes the abstract values of expressions, `flow`
passes arguments between functions to a fixpoint, `incremental` reuses answers between runs, `evidence` explains an
edge, `confirm` merges the answers of a type checker, and `link` puts them together for one file. Whether a call fits
its target is left to `binding`.
"""
