"""How well search finds what an engineer asks for: questions about real packages, each with the symbols that answer it.

The questions are in `questions.tsv`; they were written after reading the code, in other words than its names. The
weights of the ranking were chosen by one half of them; the other half was held out and says what they are worth.
"""
