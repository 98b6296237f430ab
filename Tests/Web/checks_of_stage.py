"""The stage: read from two metres, by every eye."""

import re

from browser import SIZES
from checks import listed
from panel import connected

ALL, check = listed()
START = "/#stage"


def title_seen_from(visit, size, millimetres, letters):
    """The distance in metres from which a title of some letters can be read on a screen of some width. Capitals must
    be as high as its two hundredth (FAA Human Factors Design Standard), and are 0.73 of the text size."""
    connected(visit)
    name = "Evening Song With A LongName X"[-letters:].strip()
    visit.instrument.send("/preset/save/new", name)
    title = visit.page.locator(".stage h1")
    visit.until(lambda: title.text_content() == name, lambda: title.text_content())
    shown = title.evaluate("one => ({ size: parseFloat(getComputedStyle(one).fontSize), is_cut: one.scrollWidth > one.clientWidth })")
    assert not shown["is_cut"], f"{letters} letters are cut off"
    return shown["size"] * millimetres / SIZES[size][0] * 0.73 * 200 / 1000


def reads(size, millimetres, least):
    """A check that titles can be read from a distance of at least `least[letters]` metres."""

    def act(visit):
        for letters, metres in least.items():
            seen = title_seen_from(visit, size, millimetres, letters)
            print(f"      {letters} letters on {millimetres} mm: read from {seen:.1f} m")
            assert seen >= metres, f"{letters} letters are read from {seen:.1f} m"

    act.__name__ = f"title_{size}"
    check(f"The title is read from two metres, from an arm's length on a phone: {size}", size=size, path=START)(act)


reads("tablet", 226, {10: 2.0, 22: 2.0, 29: 1.5})
reads("desktop", 344, {10: 2.0, 22: 2.0, 29: 2.0})
reads("phone", 65, {10: 0.9, 20: 0.7})


def linear(part):
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance_to_deuteranope(color):
    """The luminance (WCAG 2.1) of a colour as an eye without green cones sees it. Method: G. M. Machado,
    M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009."""
    r, g, b = (linear(int(part) / 255) for part in re.findall(r"\d+", color)[:3])
    seen = (0.367322 * r + 0.860646 * g - 0.227968 * b, 0.280085 * r + 0.672501 * g + 0.047413 * b, -0.01182 * r + 0.04294 * g + 0.968881 * b)
    return sum(weight * max(0, min(part, 1)) for weight, part in zip((0.2126, 0.7152, 0.0722), seen))


def contrast(one, other):
    lights = sorted((luminance_to_deuteranope(one), luminance_to_deuteranope(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def style(face, name):
    return face.evaluate(f"one => getComputedStyle(one)['{name}']")


@check("What is lit on the stage differs by 3 to 1 in luminance for an eye without green cones", path=START)
def seen_without_green(visit):
    connected(visit)
    visit.instrument.send("/preset/slot/1", 1)
    slots = visit.page.locator(".slot-button")
    visit.until(lambda: slots.nth(0).get_attribute("aria-pressed") == "true", "the preset is not lit")
    lit, dark = (style(slots.nth(at), "backgroundColor") for at in (0, 1))
    assert contrast(lit, dark) >= 3, f"presets: {lit} and {dark}, {contrast(lit, dark):.1f}"
    assert contrast(lit, style(slots.nth(0), "color")) >= 4.5, "the name of the preset on its lit button"

    letters = visit.page.locator(".letter")
    for address, value in (("/snapshot/store", 1), ("/snapshot/a", 1), ("/snapshot/a", 0)):
        visit.instrument.send(address, value)
    visit.until(lambda: letters.nth(0).get_attribute("aria-pressed") == "true", "the snapshot is not lit")
    mark = style(letters.nth(0), "boxShadow")
    assert mark != "none" and style(letters.nth(1), "boxShadow") == "none", "a bar marks the current snapshot alone"
    assert contrast(mark, style(letters.nth(0), "backgroundColor")) >= 3, f"snapshots: {mark}"
    assert letters.nth(0).locator("span").text_content() and not letters.nth(1).locator("span").text_content()

    lock = visit.page.locator(".lock")
    open_words = lock.text_content()
    visit.instrument.send("/lock/press", 1)
    visit.instrument.send("/lock/press", 0)
    visit.until(lambda: lock.get_attribute("aria-pressed") == "true", "the lock is open")
    assert lock.text_content() != open_words
