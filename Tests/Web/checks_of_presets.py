"""What people do with presets."""

import re
import time

from checks import listed
from panel import connected, open_page

ALL, check = listed()
START = "/#presets"


def find(visit, words):
    """Searches for words; the names of the presets that are listed."""
    field = visit.page.get_by_role("combobox", name="Search presets")
    field.fill(words)
    visit.page.wait_for_timeout(150)
    return visit.page.locator("#preset-list [role=option] .name").all_text_contents()


def saved(visit, name):
    """Saves the sound under a name, as a tablet does, and chooses it in the list."""
    visit.instrument.send("/preset/save/new", name)
    visit.until(lambda: visit.instrument.value("/preset/name") == name, lambda: visit.instrument.value("/preset/name"))
    choose(visit, name)


def choose(visit, name):
    visit.until(lambda: name in find(visit, name), f"{name} is not listed")
    visit.page.locator("#preset-list [role=option]", has=visit.page.locator(".name", has_text=exactly(name))).click()
    visit.page.locator(".detail h2", has_text=exactly(name)).wait_for()


def exactly(text):
    return re.compile(f"^{re.escape(text)}$")


def press(visit, name):
    """Presses a button of the chosen preset."""
    visit.page.locator(".detail").get_by_role("button", name=name).click()


def answer(visit, text, ok):
    """Answers a dialog that asks for a line of text."""
    dialog = visit.page.locator("dialog[open]")
    dialog.get_by_role("textbox").fill(text)
    dialog.get_by_role("button", name=ok, exact=True).click()
    dialog.wait_for(state="detached")


@check("Search finds by several words as they are typed; the arrows choose, and Enter loads")
def search(visit):
    connected(visit)
    visit.page.keyboard.press("/")
    field = visit.page.get_by_role("combobox", name="Search presets")
    visit.until(lambda: field.evaluate("one => one === document.activeElement"), "/ does not go to the search")
    visit.until(lambda: len(find(visit, "")) > 100, "the list does not come")
    field.press_sequentially("pad wid")
    names = visit.until(lambda: (lambda found: found if len(found) < 20 else None)(
        visit.page.locator("#preset-list [role=option] .name").all_text_contents()), "nothing is left out")
    assert "Wide Pad" in names, names
    visit.page.keyboard.press("ArrowDown")
    chosen = visit.page.locator("#preset-list [aria-selected=true] .name").text_content()
    visit.page.keyboard.press("Enter")
    visit.until(lambda: visit.instrument.value("/preset/name") == chosen,
                lambda: f"{visit.instrument.value('/preset/name')} plays, not {chosen}")


@check("A preset is renamed, and is called so in the instrument", path=START)
def rename(visit):
    connected(visit)
    saved(visit, "Browser one")
    press(visit, "Rename…")
    answer(visit, "Browser two", "Rename")
    visit.until(lambda: visit.instrument.value("/preset/name") == "Browser two",
                lambda: visit.instrument.value("/preset/name"))
    visit.until(lambda: find(visit, "browser t") == ["Browser two"], lambda: find(visit, "browser"))


@check("A favourite and a tag are there after a reload, and are found", path=START)
def favorite(visit):
    connected(visit)
    saved(visit, "Tagged")
    press(visit, "☆ Favourite")
    visit.page.locator(".detail").get_by_role("button", name="★ Favourite").wait_for()
    press(visit, "+ tag")
    answer(visit, "zebra", "Add")
    visit.page.locator(".tag-list", has_text="zebra").wait_for()
    visit.go(START)
    connected(visit)
    choose(visit, "Tagged")
    visit.page.locator(".detail").get_by_role("button", name="★ Favourite").wait_for()
    visit.until(lambda: find(visit, "zebra") == ["Tagged"], lambda: find(visit, "zebra"))


@check("A preset goes to the trash, and comes back from there", path=START)
def trash(visit):
    connected(visit)
    saved(visit, "Thrown away")
    press(visit, "To the trash")
    visit.until(lambda: not find(visit, "thrown away"), "it is still listed")
    visit.page.get_by_role("button", name="Trash", exact=True).click()
    visit.page.get_by_role("button", name="Restore Thrown away").click()
    visit.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    visit.until(lambda: find(visit, "thrown away") == ["Thrown away"], "it does not come back")


@check("A preset is exported as text, and imported by its file; what is no preset is refused by name", path=START)
def exchange(visit):
    connected(visit)
    saved(visit, "Travels")
    with visit.page.expect_download() as download:
        press(visit, "Export")
    with open(download.value.path(), encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("pipit preset "), text[:60]
    press(visit, "To the trash")
    visit.until(lambda: not find(visit, "travels"), "it is still listed")
    bring(visit, ("travels.txt", text), ("shopping.txt", "milk\n"))
    report = visit.page.locator("dialog[open] .report")
    report.wait_for()
    assert "shopping.txt" in report.text_content(), report.text_content()
    visit.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    visit.until(lambda: find(visit, "travels"), "it was not imported")


def bring(visit, *files):
    """Chooses files for Import."""
    with visit.page.expect_file_chooser() as chooser:
        visit.page.get_by_role("button", name="Import…").first.click()
    chooser.value.set_files([{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files])


@check("All presets leave in one file, as many as the button says", path=START)
def export_all(visit):
    connected(visit)
    saved(visit, "Leaves with all")
    visit.page.get_by_role("button", name="Export…").click()
    button = visit.page.locator("dialog[open]").get_by_role("button", name=re.compile("^All "))
    promised = int(re.search("[0-9]+", button.text_content())[0])
    with visit.page.expect_download() as download:
        button.click()
    with open(download.value.path(), encoding="utf-8") as file:
        text = file.read()
    found = len(re.findall("^pipit preset ", text, re.MULTILINE))
    assert "name Leaves with all\n" in text and found == promised, f"{found} presets, not {promised}"


@check("A file that is dropped on the list is imported", path=START)
def drop(visit):
    connected(visit)
    visit.until(lambda: len(find(visit, "")) > 100, "the list does not come")
    visit.page.evaluate("""text => {
        const files = new DataTransfer()
        files.items.add(new File([text], "dropped.txt", { type: "text/plain" }))
        const tell = name => document.querySelector("#main").dispatchEvent(
            new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: files }))
        for (const name of ["dragenter", "dragover", "drop"]) tell(name)
    }""", "pipit preset 1\nname Dropped here\n/filter/cutoff/hz 1200\n")
    visit.until(lambda: find(visit, "dropped here"), "it was not imported")


@check("Hear plays a short phrase, which ends by itself", path=START)
def hear(visit):
    connected(visit)
    visit.instrument.send("/panic", 1)
    choose(visit, "Pluck")

    def sounds():
        # On a busy machine it may be over before it is asked for: then it is heard again.
        press(visit, "Hear")
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if visit.instrument.value("/status/voices"):
                return True
            visit.page.wait_for_timeout(20)
        return False

    visit.until(sounds, "nothing sounds")
    visit.until(lambda: visit.instrument.value("/status/voices") == 0, "it goes on")


def listens(visit):
    """Notes every sentence that the page shows from now on."""
    visit.page.evaluate("""() => {
        window.said = []
        new MutationObserver(changes => {
            for (const { addedNodes } of changes) for (const one of addedNodes) window.said.push(one.querySelector("span").textContent)
        }).observe(document.querySelector("#toasts"), { childList: true })
    }""")


def said(visit):
    return visit.page.evaluate("window.said")


@check("A save is called saved when the box has it on the disk, and is being saved until then", path=START)
def confirmed(visit):
    connected(visit)
    saved(visit, "Confirmed")
    visit.until(lambda: visit.instrument.value("/presets/waiting") == 0, "it is not written")
    visit.instrument.send("/filter/cutoff", 0.42)
    visit.until(lambda: visit.instrument.value("/preset/edited") == 1, "it is not edited")
    visit.until(lambda: not visit.instrument.value("/notice"), lambda: visit.instrument.value("/notice"))
    listens(visit)
    with visit.instrument.held():
        visit.page.locator("#top .save").click()
        visit.until(lambda: visit.instrument.value("/preset/edited") == 0, "it is not saved")
        visit.until(lambda: said(visit), "the page says nothing")
        visit.settle()
        assert said(visit)[0].startswith('Saving "Confirmed"') and "Saved" not in str(said(visit)), said(visit)
        assert visit.instrument.value("/presets/waiting") == 1, "nothing waits"
    visit.until(lambda: said(visit)[-1].startswith('Saved "Confirmed"'), lambda: said(visit))


@check("Of sentences that come one after the other each is shown, those of the box beside those of the page", path=START)
def sentences(visit):
    connected(visit)
    choose(visit, "Pluck")
    visit.until(lambda: not visit.instrument.value("/notice"), lambda: visit.instrument.value("/notice"))
    listens(visit)
    press(visit, "Load")
    visit.instrument.send("/snapshot/c", 1)
    visit.until(lambda: "Let go to store snapshot C" in said(visit), lambda: said(visit))
    visit.instrument.send("/snapshot/c", 0)
    visit.until(lambda: "Saved snapshot C" in said(visit), lambda: said(visit))
    assert said(visit)[0].startswith("Pluck plays on part"), said(visit)
    shown = visit.page.locator("#toasts .toast").all_text_contents()
    assert len(shown) <= 2 and shown[-1].startswith("Saved snapshot C"), shown


@check("Of two presets of one name each is listed, loaded, pictured, exported and marked as playing", path=START)
def twins(visit):
    connected(visit)
    choose(visit, "Brass")
    press(visit, "Load")
    visit.until(lambda: visit.instrument.value("/preset/name") == "Brass", lambda: visit.instrument.value("/preset/name"))
    factory = visit.instrument.value("/filter/cutoff/hz")
    # The sound before was edited. A click while the page learns that this one is not would meet a button without use.
    visit.page.locator("#top .save:disabled").wait_for()
    visit.instrument.send("/filter/cutoff/hz", 1_111)
    visit.until(lambda: visit.instrument.value("/preset/edited") == 1, "it is not edited")
    visit.page.locator("#top .save").click()
    visit.until(lambda: visit.instrument.value("/preset/bank") == 1, "it is not the player's")
    rows = visit.page.locator("#preset-list [role=option]", has=visit.page.locator(".name", has_text=exactly("Brass")))
    visit.until(lambda: find(visit, "brass").count("Brass") == 2, lambda: find(visit, "brass"))
    badges = visit.page.locator("#preset-list .badge")
    for place, bank, hertz in (("Factory", 0, factory), ("Own", 1, 1_111)):
        for index in range(2):
            rows.nth(index).click()
            if visit.page.locator(".detail .place").text_content().startswith(place):
                break
        else:
            raise AssertionError(f"{place} is not listed")
        rows.nth(index).dblclick()
        visit.until(lambda: visit.instrument.value("/preset/bank") == bank, lambda: visit.instrument.value("/preset/bank"))
        assert abs(visit.instrument.value("/filter/cutoff/hz") - hertz) < 1, visit.instrument.value("/filter/cutoff/hz")
        visit.page.locator(".detail .badge", has_text="Plays on").wait_for()
        visit.until(lambda: badges.count() == 1, badges.count)
        visit.until(lambda: rows.nth(index).locator(".badge").count() == 1, "the other is marked")
        with visit.page.expect_download() as download:
            press(visit, "Export")
        with open(download.value.path(), encoding="utf-8") as file:
            text = file.read()
        assert f"slot {bank} " in text, text[:200]


@check("Hear ends with the page, and the part is as it was", path=START)
def hear_closed(visit):
    connected(visit)
    visit.instrument.send("/panic", 1)
    visit.until(lambda: visit.instrument.value("/status/voices") == 0, "it sounds")
    before = [visit.instrument.value(f"/part/8/{word}") for word in ("on", "preset/name", "filter/cutoff/hz")]
    choose(visit, "Wide Pad")
    press(visit, "Hear")
    visit.until(lambda: visit.instrument.value("/part/8/preset/name") == "Wide Pad", "it is not heard")
    visit.page.goto("about:blank")
    visit.until(lambda: [visit.instrument.value(f"/part/8/{word}") for word in ("on", "preset/name", "filter/cutoff/hz")] == before,
                lambda: visit.instrument.value("/part/8/preset/name"))


@check("An older version shows what differs, line by line, and is brought back", path=START)
def versions(visit):
    connected(visit)
    visit.instrument.send("/filter/cutoff", 0.3)
    saved(visit, "Grows older")
    visit.instrument.send("/filter/cutoff", 0.8)
    visit.until(lambda: visit.instrument.value("/preset/edited") == 1, "it is not edited")
    visit.instrument.send("/preset/save", 1)
    visit.until(lambda: visit.instrument.value("/preset/edited") == 0, "it is not saved")
    open_page(visit, "#panel/filter")
    open_page(visit, "#presets")
    choose(visit, "Grows older")
    visit.page.locator(".differs", has_text="/filter/cutoff").first.wait_for()
    visit.page.get_by_role("button", name=re.compile("^Bring back")).last.click()

    def loaded():
        # What sounds is the player's, whatever is in the library.
        visit.instrument.send("/preset/load", "Grows older")
        return abs(visit.instrument.value("/filter/cutoff") - 0.3) < 0.01

    visit.until(loaded, lambda: visit.instrument.value("/filter/cutoff"))


@check("The portrait of a sound with a wavetable shows the frames of its table", path=START)
def wavetable(visit):
    connected(visit)
    choose(visit, "Table Choir")
    wave = visit.page.locator(".detail .portrait figure").first.locator("path.main")
    # Until the frames are loaded, the wave is a straight line.
    heights = "path => new Set([...path.getAttribute('d').matchAll(/[\\d.]+[ ,]([\\d.]+)/g)].map(found => found[1])).size"
    visit.until(lambda: wave.evaluate(heights) > 8, lambda: wave.get_attribute("d")[:80])
