"""How checks are listed."""

import dataclasses
import typing


@dataclasses.dataclass
class Check:
    """What must hold, in words; the function that tries it; the size and the path of the window."""

    words: str
    act: typing.Callable
    size: str
    path: str


def listed():
    """A list, and a decorator that adds a function to it with its words."""
    checks = []

    def add(words, size="tablet", path="/"):
        def remember(act):
            checks.append(Check(words, act, size, path))
            return act
        return remember

    return checks, add
