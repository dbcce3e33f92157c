"""Steps that post-process findings (suppression, batch mode, circuit breaker), and the session state they use."""
