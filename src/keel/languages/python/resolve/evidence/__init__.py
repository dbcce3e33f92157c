"""Evidence: a reference linked once more with every look-up recorded, as steps that people can check."""
