"""What people do on the page about the box."""

import zlib

from checks import listed
from checks_of_presets import find
from instrument import Instrument
from panel import connected, open_page

ALL, check = listed()
START = "/#box"


@check("The page about the box says how to reach it, in words and as a QR code", path=START)
def reach(visit):
    connected(visit)
    code = visit.page.get_by_role("img", name="QR code")
    code.wait_for()
    visit.until(lambda: code.evaluate("one => one.complete && one.naturalWidth > 0"), "the QR code does not come")
    assert f"http://box.local:{visit.instrument.port}" in visit.page.locator("#main").text_content()


@check("The doctor's sentences are on the page", path=START)
def doctor(visit):
    connected(visit)
    # Without a card, that is the first thing to say.
    visit.page.locator("#main", has_text="sound card").wait_for()


@check("The layouts for TouchOSC are downloaded in both sizes", path=START)
def layouts(visit):
    connected(visit)
    for name in ("pipit.tosc", "pipit-phone.tosc"):
        with visit.page.expect_download() as download:
            visit.page.get_by_role("button", name=f"Download {name}").click()
        assert download.value.suggested_filename == name
        with open(download.value.path(), "rb") as file:
            assert b"<lexml" in zlib.decompress(file.read()), name


@check("A backup is restored to an instrument that has nothing: presets, their tags, and the session", path=START)
def backup(visit):
    connected(visit)
    visit.instrument.send("/filter/cutoff", 0.4375)
    visit.instrument.send("/preset/save/new", "Goes with it")
    visit.until(lambda: visit.instrument.value("/preset/name") == "Goes with it", "it is not saved")
    visit.instrument.send("/filter/resonance", 0.5)
    visit.page.wait_for_timeout(1_500)
    with visit.page.expect_download(timeout=20_000) as download:
        visit.page.get_by_role("button", name="Download a backup").click()
    with Instrument(visit.instrument.pipit) as clean, visit.beside(clean) as there:
        there.go(START)
        connected(there)
        with there.page.expect_file_chooser() as chooser:
            there.page.get_by_role("button", name="Restore…").click()
        chooser.value.set_files(download.value.path())
        there.page.locator("dialog[open]").get_by_role("button", name="Restore", exact=True).click()
        there.page.locator("dialog[open] .report").wait_for(timeout=20_000)
        there.page.locator("dialog[open]").get_by_role("button", name="Close").click()
        there.until(lambda: clean.value("/preset/name") == "Goes with it", lambda: clean.value("/preset/name"))
        for address, value in (("/filter/cutoff", 0.4375), ("/filter/resonance", 0.5)):
            there.until(lambda: abs(clean.value(address) - value) < 0.001, lambda: f"{address} is {clean.value(address)}")
        open_page(there, "#presets")
        there.until(lambda: find(there, "goes with") == ["Goes with it"], lambda: find(there, "goes"))
        assert not there.errors and not there.strangers, (there.errors, there.strangers)


@check("What is no backup changes nothing, and the page says why", path=START)
def no_backup(visit):
    connected(visit)
    before = visit.instrument.value("/preset/name")
    with visit.page.expect_file_chooser() as chooser:
        visit.page.get_by_role("button", name="Restore…").click()
    chooser.value.set_files({"name": "holiday.tar.gz", "mimeType": "application/gzip", "buffer": b"\x1f\x8b" + bytes(100)})
    visit.page.locator("dialog[open]").get_by_role("button", name="Restore", exact=True).click()
    visit.until(lambda: visit.page.locator("#toasts").text_content().strip() not in ("", "Restoring…"), "it says nothing")
    visit.errors = [error for error in visit.errors if "/app/backup" not in error]
    assert visit.instrument.value("/preset/name") == before
