"""Toy: a language of a few lines that is a permanent guest of the tests, as one that is installed would be.

    module shop             the module of the file; several files may be of one. Without it: the name of the file
    part stock              a module inside the file, up to the next `part`
    fn total price amount   a function with its parameters; a name that begins with `_` is private
      tax price             a call, in a function: of its own part, its own module, or `module::name`

It brings no capability at all: no contracts, no conventions, no editing. `language` is what the entry point names.
"""

from tests.toy.language import Toy

language = Toy()
