"""Tests of keel from outside, as it is installed and called; its parts are tested elsewhere."""
