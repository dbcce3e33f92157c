"""The till."""

from __future__ import annotations

from shop import Cart, total
from shop.pricing import Price


def checkout(articles: dict[str, float]) -> float:
    """Fills a cart, and says what is to be paid."""
    cart = Cart()
    for article, amount in articles.items():
        cart.add(article, Price(amount))
    return total(cart, percent=10)
