"""The installation as the README tells it, to be done as it is written there."""

import pathlib
import re

README = pathlib.Path(__file__).resolve().parent.parent.parent / "README.md"


def section(title):
    """The text under a heading."""
    return re.search(rf"^## {title}\n(.*?)^## ", README.read_text(), re.DOTALL | re.MULTILINE)[1]


def commands(text):
    """The lines that are typed on the instrument's machine: those below ssh."""
    lines = re.findall(r"^    (.+)$", text, re.MULTILINE)
    return lines[next(index for index, line in enumerate(lines) if line.startswith("ssh ")) + 1:]


def script(command):
    """A command as the machine runs it, whose shell is nobody's."""
    # The doctor may find what is worth a word, in a machine like this one.
    return command + " || [ $? = 1 ]" if command == "pipit doctor" else f"USER=$(id -un); {command}"


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
        elif words == "pipit doctor" or first == "sudo" and rest:
            found.append((words, script(words)))
    return found
