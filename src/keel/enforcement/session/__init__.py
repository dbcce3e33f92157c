"""From findings to findings: suppression, batch mode and circuit breaker, and what a session remembers for them."""
