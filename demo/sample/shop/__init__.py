"""A small shop."""

from shop.cart import Cart
from shop.pricing import total

__all__ = ["Cart", "total"]
