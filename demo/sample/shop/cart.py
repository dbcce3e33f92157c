"""What a customer means to buy."""

from __future__ import annotations

from dataclasses import dataclass, field

from .pricing import Price, discounted


@dataclass
class Line:
    """So many pieces of one article."""

    article: str
    price: Price
    pieces: int = 1


@dataclass
class Cart:
    """The lines of one customer."""

    lines: list[Line] = field(default_factory=list)

    def add(self, article: str, price: Price, pieces: int = 1) -> None:
        """Puts pieces of an article into the cart."""
        self.lines.append(Line(article, price, pieces))

    def sum(self) -> float:
        """What it costs before discounts."""
        return sum(line.price.amount * line.pieces for line in self.lines)

    def reduced(self, percent: float) -> float:
        """What it costs after a discount."""
        return discounted(self.sum(), percent)
