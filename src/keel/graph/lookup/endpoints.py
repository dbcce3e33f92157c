"""Routes and clients as text: `GET /carts/{id}`, `shop GET /carts`, `shop /carts`, and their templates.

The names of their attributes are defined here too. Finding them in source is left to the languages, in the graph to
`candidates.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

METHOD, PATH, TEMPLATE, TOPIC = "method", "path", "template", "topic"
"""Attributes of a route; a client has all but the topic, a producer only that."""
TARGET = "target_service"
"""The attribute of a client with the service that it calls."""
FRAMEWORK, CLIENT_KIND = "framework", "client_kind"
ROLE, ANNOTATION, CAPABILITY = "role", "annotation", "capability"
"""Attributes of symbols."""

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"))

_variable = re.compile(r"\{[^/{}]*\}|<[^/<>]*>|(?<=/):\w+")


class Endpoint(NamedTuple):
    """A path with its optional prefixes."""

    path: str
    method: str = ""
    service: str = ""
    """Before a method, the service that has the route; else the service that a client calls."""


def endpoint_of(text: str) -> Endpoint | None:
    """`/path`, `VERB /path`, `service VERB /path` or `target /path`; None when the text is none of these."""
    *before, path = text.split()
    if not path.startswith("/") or len(before) > 2:
        return None
    if not before:
        return Endpoint(path)
    method = before[-1].upper()
    if method in METHODS:
        return Endpoint(path, method, before[0] if len(before) == 2 else "")
    return Endpoint(path, service=before[0]) if len(before) == 1 else None


def template_of(path: str) -> str:
    """A path with its variables as `{}` and without a trailing slash: equal for all ways of writing it."""
    return _variable.sub("{}", path).rstrip("/") or "/"
