"""The installation as the README tells it, to be done as it is written there."""

import pathlib
import re

README = pathlib.Path(__file__).resolve().parent.parent.parent / "README.md"


def section(title):
    """The text under a heading."""
    return re.search(rf"^## {title}\n(.*?)^## ", README.read_text(), re.DOTALL | re.MULTILINE)[1]


def commands(text):
    """The lines that stand by themselves, to be typed."""
    return re.findall(r"^    (.+)$", text, re.MULTILINE)


def mentions(text):
    """What a sentence tells of the installed machine, as (words, a script that shows that it is so)."""
    found = []
    for words in re.findall(r"`([^`]+)`", text):
        first, *rest = words.split()
        if first.startswith("/"):
            found.append((words, f"test -e {words}"))
        elif first == "man":
            found.append((words, f"test -e /usr/share/man/man1/{rest[0]}.1.gz"))
        elif first == "journalctl":
            found.append((words, f"{words} | grep -q ."))
        elif words == "pipit doctor":
            # It may find what is worth a word, in a machine like this one.
            found.append((words, f"{words} || [ $? = 1 ]"))
        elif first == "sudo" and rest:
            found.append((words, f"USER=$(id -un); {words}"))
    return found
