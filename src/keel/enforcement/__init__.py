"""Enforcement: base and now are compared, rules say what that breaks, and findings are sifted.

The accepted tree and its links come from `indexing`, judgements about calls from the languages, each handed in.
"""
