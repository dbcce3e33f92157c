"""Specs: Markdown documents with small files and what keel must read in them, and the runner that holds it to them."""
