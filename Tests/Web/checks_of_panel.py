"""What people do on the panel, and what comes of it in the instrument."""

from checks import listed
from hands import beside
from panel import PAGES, cell, connected, fader, knobs, open_page, unfold, words
from tree_of_names import controls

ALL, check = listed()


def at(visit, address):
    return visit.instrument.value(address)


def becomes(visit, address, holds):
    """Waits until the instrument has a value at an address for which `holds(value)` is true."""
    return visit.until(lambda: (lambda value: value is not None and holds(value))(at(visit, address)),
                       lambda: f"{address} is {at(visit, address)}")


@check("Every knob of the tree is on the page, under the name that the tree has for it")
def everything(visit):
    connected(visit)
    found = {}
    for name in (*PAGES, "#mixer", "#box"):
        open_page(visit, name)
        unfold(visit)
        for address in visit.page.eval_on_selector_all("#main [data-knob]", "all => all.map(one => one.dataset.knob)"):
            found.setdefault(address, name)
    wanted = {node["FULL_PATH"]: node["DESCRIPTION"] for node in knobs(visit.instrument)}
    missing = [address for address in wanted if address not in found and f"/part/1{address}" not in found]
    assert len(wanted) > 200 and not missing, f"{len(missing)} of {len(wanted)} are missing: {missing[:20]}"


@check("A fader of the page shows the instrument's value in words, and what another hand makes of it",
       path="/#panel/filter")
def other_hand(visit):
    connected(visit)
    visit.instrument.send("/filter/cutoff", 0.25)
    text = visit.instrument.value("/filter/cutoff/text")
    visit.until(lambda: words(visit, "/filter/cutoff") == visit.instrument.value("/filter/cutoff/text"),
                lambda: f"{words(visit, '/filter/cutoff')} is not {text}")


@check("Two fingers turn two knobs at once", path="/#panel/filter")
def two_fingers(visit):
    connected(visit)
    addresses = ("/filter/cutoff", "/filter/resonance")
    for address in addresses:
        visit.instrument.send(address, 0.3)
    starts = [visit.hands.middle(cell(visit, address)) for address in addresses]
    visit.until(lambda: all(abs(float(fader(visit, one).input_value()) - 0.3) < 0.01 for one in addresses), "not shown")
    visit.hands.drag(*[(start, beside(start, right=48 if index else 80)) for index, start in enumerate(starts)])
    for address in addresses:
        becomes(visit, address, lambda value: value > 0.35)


@check("A touch that the system takes away ends the hold", path="/#panel/filter")
def taken_away(visit):
    connected(visit)
    start = visit.hands.middle(cell(visit, "/filter/cutoff"))
    visit.hands.down(start)
    visit.hands.move(beside(start, right=40))
    visit.until(lambda: visit.page.locator(".fader.held").count() == 1, "it is not held")
    visit.hands.cancel()
    visit.until(lambda: visit.page.locator(".fader.held").count() == 0, "it is still held")
    visit.page.wait_for_timeout(400)
    visit.instrument.send("/filter/cutoff", 0.7)
    visit.until(lambda: abs(float(fader(visit, "/filter/cutoff").input_value()) - 0.7) < 0.01,
                "it does not follow another hand")


@check("A finger that moves up and down over the faders scrolls, and turns nothing", size="phone", path="/#panel/filter")
def scrolling(visit):
    connected(visit)
    visit.instrument.send("/filter/cutoff", 0.5)
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.5) < 0.001)
    start = visit.hands.middle(cell(visit, "/filter/cutoff"))
    visit.hands.drag((start, beside(start, right=3, down=-200)), steps=12)
    visit.until(lambda: visit.page.evaluate("document.querySelector('main').scrollTop + scrollY") > 50, "it does not scroll")
    visit.settle()
    assert abs(at(visit, "/filter/cutoff") - 0.5) < 0.001, f"cutoff is {at(visit, '/filter/cutoff')}"


@check("The arrow keys turn a knob, with Shift finely; Delete goes to the default, Ctrl Z back", path="/#panel/filter")
def keys_of_a_fader(visit):
    connected(visit)
    visit.instrument.send("/filter/cutoff", 0.5)
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.5) < 0.001)
    visit.until(lambda: abs(float(fader(visit, "/filter/cutoff").input_value()) - 0.5) < 0.001, "not shown")
    fader(visit, "/filter/cutoff").focus()
    before = len(visit.steps())
    visit.page.keyboard.press("ArrowRight")
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.51) < 0.0005)
    visit.page.keyboard.press("Shift+ArrowRight")
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.511) < 0.0002)
    # Presses that follow each other at once are one step, which ends some time later.
    is_step = lambda: len(visit.steps()) > before and words(visit, "/filter/cutoff") in visit.steps()[0]
    visit.until(is_step, lambda: f"no step to {words(visit, '/filter/cutoff')}: {visit.steps()}")
    visit.page.keyboard.press("Delete")
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.511) > 0.05)
    visit.until(is_step, lambda: f"no step to {words(visit, '/filter/cutoff')}: {visit.steps()}")
    visit.page.keyboard.press("Control+z")
    becomes(visit, "/filter/cutoff", lambda value: abs(value - 0.511) < 0.001)


@check("A number that is typed is meant in its unit", path="/#panel/filter")
def typed(visit):
    connected(visit)
    fader(visit, "/filter/cutoff").focus()
    visit.page.keyboard.press("Enter")
    visit.page.locator("dialog[open]").wait_for()
    visit.page.keyboard.type("1.2k")
    visit.page.keyboard.press("Enter")
    visit.until(lambda: abs((visit.instrument.value("/filter/cutoff/hz") or 0) - 1200) < 2,
                lambda: f"{visit.instrument.value('/filter/cutoff/hz')} Hz")


@check("A double tap goes to the default", path="/#panel/filter")
def double_tap(visit):
    connected(visit)
    visit.instrument.send("/filter/resonance", 0.8)
    becomes(visit, "/filter/resonance", lambda value: value > 0.79)
    point = visit.hands.middle(cell(visit, "/filter/resonance"))

    def tapped():
        # On a busy machine the second tap may come too late to be one of two, or a tap last so long that it is a hold.
        visit.hands.close_cards()
        visit.hands.tap(point)
        visit.hands.tap(point)
        visit.settle()
        return at(visit, "/filter/resonance") < 0.3

    visit.until(tapped, lambda: f"resonance is {at(visit, '/filter/resonance')}")


@check("A point of the envelope's picture is dragged, and moves decay and sustain", path="/#panel/filter")
def envelope(visit):
    connected(visit)
    section = visit.page.locator("#main .section:has([data-knob='/amp/decay'])")
    grip = section.locator(".grip").nth(1)
    before = at(visit, "/amp/decay"), at(visit, "/amp/sustain")
    start = visit.hands.middle(grip)
    visit.hands.drag((start, beside(start, right=40, down=-30 if before[1] < 0.5 else 30)))
    becomes(visit, "/amp/decay", lambda value: abs(value - before[0]) > 0.01)
    becomes(visit, "/amp/sustain", lambda value: abs(value - before[1]) > 0.01)


@check("A choice out of many is a list that typing searches", path="/#panel/matrix")
def menu(visit):
    connected(visit)
    visit.page.get_by_role("button", name="Slot 7 target").first.click()
    visit.page.locator("dialog[open]").wait_for()
    visit.page.keyboard.type("reson")
    visit.page.keyboard.press("Enter")
    visit.until(lambda: visit.instrument.value("/mod/7/target/text") == "resonance",
                lambda: visit.instrument.value("/mod/7/target/text"))


@check("Three fingers on the keys are a chord, which ends with the fingers", path="/#panel/play")
def chord(visit):
    connected(visit)
    visit.instrument.send("/panic", 1)
    visit.instrument.send("/amp/release", 0.0)
    becomes(visit, "/status/voices", lambda count: count == 0)
    keys = [visit.page.locator(f".keys .key[data-key='{key}']").first for key in (60, 64, 67)]
    visit.hands.middle(keys[0])
    boxes = [key.bounding_box() for key in keys]
    visit.hands.down(*[(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.85) for box in boxes])
    becomes(visit, "/status/voices", lambda count: count == 3)
    visit.hands.up()
    becomes(visit, "/status/voices", lambda count: count == 0)


@check("Notes that are held end with the window", path="/#panel/play")
def window_closed(visit):
    connected(visit)
    visit.instrument.send("/panic", 1)
    visit.instrument.send("/amp/release", 0.0)
    becomes(visit, "/status/voices", lambda count: count == 0)
    visit.hands.down(visit.hands.middle(visit.page.locator(".keys .key[data-key='60']").first))
    becomes(visit, "/status/voices", lambda count: count >= 1)
    visit.page.goto("about:blank")
    becomes(visit, "/status/voices", lambda count: count == 0)


@check("A screen reader finds each knob of a page by its name and value", path="/#panel/filter")
def names(visit):
    connected(visit)
    for name in PAGES:
        open_page(visit, name)
        unfold(visit)
        found = controls(visit.devtools)
        nameless = [one for one in found if not one[1]]
        assert not nameless, f"{name}: controls without a name: {nameless[:8]}"
        shown = visit.page.eval_on_selector_all("#main [data-knob] input[type=range]", "all => all.map(one => one.ariaLabel)")
        sliders = [one[1] for one in found if one[0] == "slider"]
        assert all(sliders.count(one) >= shown.count(one) for one in shown), f"{name}: {set(shown) - set(sliders)}"
        assert all(one[2] for one in found if one[0] == "slider"), f"{name}: a slider without words for its value"


def step(visit, number):
    """The column of a step on the page ARP."""
    return visit.page.get_by_role("group", name=f"Step {number}", exact=True)


@check("The grid edits the steps of the sequence by keys, turns its pages, and shows what another hand makes of them",
       path="/#panel/arp")
def step_grid(visit):
    connected(visit)
    visit.instrument.send("/sequence/clear", 1)
    visit.instrument.send("/sequence/page", 1)
    third = step(visit, 3)
    third.get_by_role("slider", name="velocity").focus()
    for key in ("End", "ArrowDown"):
        visit.page.keyboard.press(key)
    becomes(visit, "/sequence/slot/3/velocity", lambda value: value == 126)
    third.get_by_role("spinbutton").fill("-7")
    becomes(visit, "/sequence/slot/3/note", lambda value: value == -7)
    third.get_by_role("button", name="strokes").click()
    becomes(visit, "/sequence/step/3", lambda value: value == "-7 126 50 2")
    third.get_by_role("button", name="Tie").click()
    becomes(visit, "/sequence/step/3", lambda value: value == "-7 126 50 2 tie")
    visit.instrument.send("/sequence/slot/3/velocity", 5)
    visit.until(lambda: third.get_by_role("slider", name="velocity").input_value() == "5", "another hand is not shown")
    visit.page.get_by_role("button", name="49–64").click()
    becomes(visit, "/sequence/page", lambda value: value == 4)
    visit.until(lambda: step(visit, 51).count() == 1, "the steps are not numbered")
    step(visit, 51).get_by_role("slider", name="velocity").focus()
    visit.page.keyboard.press("End")
    becomes(visit, "/sequence/step/51", lambda value: value == "0 127 50 1")


@check("The grid takes back CLEAR and a recording, unties to the strokes of the step, and shows the page's own note",
       path="/#panel/arp")
def step_grid_undone(visit):
    connected(visit)
    visit.instrument.send("/sequence/page", 1)
    visit.instrument.send("/sequence/clear", 1)
    visit.instrument.send("/sequence/step/3", "-7 126 50 2 tie")
    visit.instrument.send("/sequence/step/19", "9 100 50 4")
    third, tie = step(visit, 3), step(visit, 3).get_by_role("button", name="Tie", exact=True)
    visit.until(lambda: tie.get_attribute("aria-pressed") == "true", "the tie is not shown")
    third.get_by_role("spinbutton").focus()
    visit.instrument.send("/sequence/page", 2)
    note = step(visit, 19).get_by_role("spinbutton")
    visit.until(lambda: note.input_value() == "9", "a focused number shows the note of another page")
    visit.until(lambda: step(visit, 19).get_by_role("button", name="strokes: 4").count() == 1, "no four strokes")
    visit.page.get_by_role("button", name="1–16").click()
    visit.until(lambda: tie.count() == 1 and tie.get_attribute("aria-pressed") == "true", "the tie is not shown again")
    tie.click()
    becomes(visit, "/sequence/step/3", lambda value: value == "-7 126 50 2")
    visit.page.get_by_role("group", name="Steps that are shown").locator("..").get_by_role("button", name="Clear").click()
    becomes(visit, "/sequence/step/3", lambda value: value == "rest")
    visit.page.keyboard.press("Control+z")
    becomes(visit, "/sequence/step/3", lambda value: value == "-7 126 50 2")
    record = visit.page.get_by_role("button", name="Record", exact=True)
    record.click()
    visit.until(lambda: record.get_attribute("aria-pressed") == "true", "it does not record")
    for velocity in (1.0, 0.0):
        visit.instrument.send("/note", 65, velocity)
    becomes(visit, "/sequence/step/1", lambda value: value == "5 127 50 1")
    visit.until(lambda: step(visit, 1).get_by_role("spinbutton").input_value() == "5", "the step is not shown")
    record.click()
    visit.until(lambda: record.get_attribute("aria-pressed") == "false", "it records still")
    visit.until(lambda: visit.steps()[:1] == ["record the sequence"], visit.steps)
    visit.page.keyboard.press("Control+z")
    becomes(visit, "/sequence/step/3", lambda value: value == "-7 126 50 2")


@check("A finger sets the bar of a step on a phone, and RECORD makes keys its steps", size="phone", path="/#panel/arp")
def record_steps(visit):
    connected(visit)
    visit.instrument.send("/sequence/page", 1)
    visit.instrument.send("/sequence/clear", 1)
    box = step(visit, 2).locator(".velocity")
    x, y = visit.hands.middle(box)
    visit.hands.drag(((x, y), (x, y - 200)))
    becomes(visit, "/sequence/slot/2/velocity", lambda value: value == 127)
    visit.page.get_by_role("button", name="Record").click()
    becomes(visit, "/sequence/record", lambda value: value == 1)
    visit.until(lambda: visit.page.get_by_role("button", name="Record").get_attribute("aria-pressed") == "true",
                "it is not lit")
    for number, key in enumerate((60, 67), 1):
        for velocity in (1.0, 0.0):
            visit.instrument.send("/note", key, velocity)
        becomes(visit, f"/sequence/step/{number}", lambda value: value == f"{key - 60} 127 50 1")
        # Keys within fifty milliseconds of the instrument's own time are one step.
        blocks = at(visit, "/status/blocks")
        becomes(visit, "/status/blocks", lambda count: count > blocks + 40)
    visit.page.get_by_role("button", name="Rest").click()
    becomes(visit, "/sequence/length/value", lambda value: value == 3)
    visit.page.get_by_role("button", name="Record").click()
    becomes(visit, "/sequence/record", lambda value: value == 0)
    assert [at(visit, f"/sequence/step/{one}") for one in (1, 2, 3)] == ["0 127 50 1", "7 127 50 1", "rest"]


@check("LATCH and CLEAR are large buttons", size="phone", path="/#panel/arp")
def latch(visit):
    connected(visit)
    button = visit.page.get_by_role("button", name="Latch", exact=True)
    assert button.bounding_box()["height"] >= 64 and button.bounding_box()["width"] >= 120
    button.click()
    becomes(visit, "/arp/latch", lambda value: value == 1)
    visit.instrument.send("/arp/latch", 0)
    visit.until(lambda: button.get_attribute("aria-pressed") == "false", "it is still lit")
