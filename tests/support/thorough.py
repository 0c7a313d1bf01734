"""How much of a long list a test goes through: a sample in `make test`, all of it in `make stress`."""

import os

THOROUGH = bool(os.environ.get("BOATHOOK_THOROUGH"))


def sample(items, most):
    """At most so many of the items, evenly spread and always the same; all of them when thoroughness was asked for."""
    items = list(items)
    if THOROUGH or len(items) <= most:
        return items
    return [items[index * len(items) // most] for index in range(most)]


def at_most(usual, thorough):
    """A count: the usual one, or the thorough one when that was asked for."""
    return thorough if THOROUGH else usual
