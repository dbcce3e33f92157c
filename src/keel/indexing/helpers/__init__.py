"""Questions to helpers such as ty, and their answers laid over the links that keel found itself."""
