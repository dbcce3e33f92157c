"""Prices and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shop.cart import Cart


class Price(NamedTuple):
    """An amount in a currency."""

    amount: float
    currency: str = "EUR"


def discounted(amount: float, percent: float) -> float:
    """An amount less so many percent."""
    return round(amount * (1 - percent / 100), 2)


def total(cart: Cart, percent: float = 0) -> float:
    """What a cart costs in the end."""
    return cart.reduced(percent) if percent else cart.sum()
