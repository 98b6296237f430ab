"""The panel in a window: its knobs by their addresses, as a hand and a screen reader find them."""

import json

from hands import Hands  # noqa: F401  the type of visit.hands

PAGES = ("oscillators", "filter", "modulation", "matrix", "effects", "arp", "play")
VIEWS = ("panel", "presets", "mixer", "songs", "box", "stage")


def open_page(visit, name):
    """Opens a page of the panel or, with `name` such as #mixer, a view, by its address in the window."""
    hash = name if name.startswith("#") else f"#panel/{name}"
    # A view is new when its heading is, and comes after its module.
    visit.page.evaluate("""hash => {
        if (location.hash !== hash) document.querySelector("#main > h1.unseen").dataset.before = ""
        location.hash = hash
    }""", hash)
    visit.page.locator("#main > h1.unseen:not([data-before])").wait_for(state="attached")
    if not name.startswith("#"):
        visit.page.locator("#page .cell, #page .section").first.wait_for(state="attached")
    visit.settle()


def unfold(visit):
    """Opens every fold of a page."""
    visit.page.evaluate("document.querySelectorAll('#main details').forEach(one => { one.open = true })")
    visit.settle()


def cell(visit, address):
    """The control of a knob."""
    return visit.page.locator(f"#main [data-knob='{address}']").first


def fader(visit, address):
    """The native range of a fader."""
    return cell(visit, address).locator("input[type=range]")


def words(visit, address):
    """What a fader says of its value."""
    return fader(visit, address).get_attribute("aria-valuetext")


def connected(visit):
    """Waits until the page hears the instrument and has its view, whose module comes over a connection of its own, with
    what that has asked for."""
    visit.until(lambda: visit.page.locator("#top .link").text_content() == "connected", "the page does not connect")
    visit.page.locator("#main > h1.unseen").wait_for(state="attached")
    visit.settle()


def knobs(instrument):
    """The nodes of the tree that are knobs, outside the addresses of single parts."""
    tree = json.loads(instrument.get("/?PAGE")[2])

    def walk(node):
        if "KNOB" in node:
            yield node
        for name, child in node.get("CONTENTS", {}).items():
            if node["FULL_PATH"] != "/" or name != "part":
                yield from walk(child)

    return list(walk(tree))
