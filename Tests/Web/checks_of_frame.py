"""What holds for every page: sizes, the keyboard alone, names, and an instrument that goes away and comes back."""

import json

from checks import listed
from panel import VIEWS, connected, fader, open_page
from tree_of_names import controls

ALL, check = listed()


@check("The page is made from the tree, is called after the preset and the box, and asks nobody else")
def opens(visit):
    connected(visit)
    host = json.loads(visit.instrument.get("/?PAGE")[2])["NAME"]
    visit.until(lambda: host in visit.page.title(), lambda: visit.page.title())
    cells = visit.page.locator("#page .cell").count()
    assert cells > 10, f"{cells} controls"


@check("The panel can be used soon after it is asked for")
def soon(visit):
    visit.page.add_init_script("""
        const look = () => document.querySelector('#page .cell') ? window.usableAt = performance.now() : requestAnimationFrame(look)
        requestAnimationFrame(look)""")
    times = []
    for _ in range(5):
        visit.go("/")
        times.append(visit.until(lambda: visit.page.evaluate("window.usableAt"), "no panel"))
    print(f"      the panel is there after {sorted(times)[2]:.0f} ms (median of 5)")
    # Three times the goal, since other steps run on the same machine.
    assert sorted(times)[2] < 900, times


def fits(visit):
    """No view is wider than the window."""
    connected(visit)
    for name in VIEWS:
        open_page(visit, f"#{name}")
        wide = visit.page.evaluate("""() => [document.scrollingElement, document.querySelector('main')]
            .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => `${one.tagName} ${one.scrollWidth}`)""")
        assert not wide, f"{name} is wider than the window: {wide}"


for size in ("phone", "tablet", "desktop"):
    check(f"No view is wider than the window: {size}", size=size)(fits)


@check("A visit of all views takes 120 kB at most, compressed as the browser asks for it")
def small(visit):
    connected(visit)
    for name in VIEWS:
        open_page(visit, f"#{name}")
    home = f":{visit.instrument.port}"
    paths = {url.split(home, 1)[1] for url in visit.requests if url.startswith("http") and home in url}
    sizes = {path: len(visit.instrument.get(path, {"Accept-Encoding": "gzip", "Accept": "text/html"})[2])
             for path in paths if path == "/" or path.startswith("/app/")}
    largest = sorted(sizes, key=sizes.get)[-3:]
    print(f"      {sum(sizes.values())} bytes in {len(sizes)} files, the largest {', '.join(largest)}")
    assert sum(sizes.values()) <= 120_000, sizes


@check("A page on which nothing moves is sent nothing", path="/#presets")
def idle(visit):
    connected(visit)
    visit.instrument.send("/panic", 1)
    # What was told of the last sound, and the meters' fall.
    visit.page.wait_for_timeout(6_000)
    before = len(visit.frames)
    visit.page.wait_for_timeout(3_000)
    # A machine that is busy with other things may be late with a block.
    told = [data for data in visit.frames[before:] if not data.startswith((b"/status/xruns", b"/status/load", b"/status/voices"))]
    assert not told, f"{len(told)} frames: {told[:4]}"


@check("The scope gets samples while it is in sight, and none on other pages", path="/#panel/filter")
def scope(visit):
    connected(visit)

    def samples(milliseconds):
        before = len(visit.frames)
        visit.page.wait_for_timeout(milliseconds)
        return [data for data in visit.frames[before:] if isinstance(data, bytes) and data.startswith(b"/monitor\0")]

    visit.page.wait_for_timeout(500)
    found = samples(1_000)
    # Sixteen bits a sample, one channel.
    assert 80_000 < sum(map(len, found)) < 120_000, f"{len(found)} frames, {sum(map(len, found))} bytes a second"
    open_page(visit, "#presets")
    # A busy machine's browser leaves late; what is sent to nobody is sent for ever.
    assert any(not samples(500) for _ in range(8)), "it is sent samples that nobody sees"


@check("Every control of every view has a name for a screen reader")
def names(visit):
    connected(visit)
    for name in VIEWS:
        open_page(visit, f"#{name}")
        found = controls(visit.devtools)
        nameless = [one for one in found if not one[1]]
        assert len(found) > 5 and not nameless, f"{name}: {nameless[:8]}"


@check("The keyboard alone reaches every view, every knob of a page, the keys and panic", path="/#panel/filter")
def keyboard(visit):
    connected(visit)
    page, seen = visit.page, []
    for _ in range(150):
        page.keyboard.press("Tab")
        focused = page.evaluate("""() => {
            const one = document.activeElement, box = one.closest('.cell')?.getBoundingClientRect() ?? one.getBoundingClientRect()
            return one === document.body ? null : [one.closest('[data-knob]')?.dataset.knob ?? one.id ?? one.tagName,
              box.width > 0 && box.height > 0]
        }""")
        if focused is None:
            break
        seen.append(focused)
    knobs = page.eval_on_selector_all("#page [data-knob]", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.knob)")
    reached = {one[0] for one in seen}
    assert not set(knobs) - reached, f"Tab does not reach {sorted(set(knobs) - reached)[:8]}"
    for index, name in enumerate(VIEWS):
        page.keyboard.press(str(index + 1))
        visit.until(lambda: page.evaluate("document.body.dataset.view") == name, f"{index + 1} does not open {name}")
    page.keyboard.press("1")
    visit.until(lambda: page.evaluate("document.body.dataset.view") == VIEWS[0], "1 does not open the panel")
    page.wait_for_timeout(200)
    page.keyboard.press("k")
    keys = page.locator("#dock .key[tabindex='0']")
    keys.focus()
    visit.instrument.send("/amp/release", 0.0)
    page.keyboard.down(" ")
    visit.until(lambda: visit.instrument.value("/status/voices"), "the space bar plays nothing")
    page.keyboard.up(" ")
    visit.until(lambda: visit.instrument.value("/status/voices") == 0, "a key hangs")
    page.keyboard.press("k")
    visit.instrument.send("/note/50", 0.5)
    visit.until(lambda: visit.instrument.value("/status/voices"), "nothing sounds")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    visit.until(lambda: visit.instrument.value("/status/voices") == 0, "Esc Esc is no panic")


@check("After kill -9 the page says so and turns nothing; it comes back by itself and is true", path="/#panel/filter")
def comes_back(visit):
    connected(visit)
    fader(visit, "/filter/cutoff").wait_for(state="attached")
    visit.expects_loss = True
    visit.instrument.kill()
    visit.until(lambda: "does not answer" in visit.page.locator("#banner").text_content(), "no banner", 15)
    assert visit.page.evaluate("document.getElementById('main').inert"), "knobs can be turned"
    visit.instrument.start()
    connected_again = lambda: visit.page.locator("#top .link").text_content() == "connected"
    visit.until(connected_again, "it does not come back", 20)
    assert not visit.page.evaluate("document.getElementById('main').inert")
    visit.instrument.send("/filter/cutoff", 0.125)
    visit.until(lambda: abs(float(fader(visit, "/filter/cutoff").input_value()) - 0.125) < 0.01, "it is not true")
    visit.until(lambda: not visit.page.locator("#banner").text_content().strip(), "the banner stays")


@check("An instrument that ends in order is missed at once", path="/#panel/filter")
def ends_in_order(visit):
    connected(visit)
    fader(visit, "/filter/cutoff").wait_for(state="attached")
    visit.expects_loss = True
    visit.instrument.stop()
    visit.until(lambda: "does not answer" in visit.page.locator("#banner").text_content(), "no banner", 5)
    visit.instrument.start()
    visit.until(lambda: visit.page.locator("#top .link").text_content() == "connected", "it does not come back", 20)
