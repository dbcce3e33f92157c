"""A sensible call of every tool that is listed by default, about the shop of `tests/e2e/shop.py`."""

from __future__ import annotations

CALLS: dict[str, dict[str, object]] = {
    "resolve": {"identifier": "Cart.total"},
    "search": {"query": "hold items"},
    "find": {"kind": "symbol"},
    "describe": {"symbol": "Cart.total", "max_lines": 5},
    "neighbors": {"ids": ["pay"], "direction": "in", "edge_types": ["calls"]},
    "impact": {"symbol": "pay"},
    "compile": {"files": ["shop/cart.py"]},
    "explain": {"caller": "checkout", "callee": "pay"},
}
