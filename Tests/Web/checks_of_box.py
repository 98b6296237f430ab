"""What people do on the page about the box."""

import os
import pathlib
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
    visit.until(lambda: f"http://box.local:{visit.instrument.port}" in visit.page.locator("#main").text_content(),
                "the address is not shown")


@check("The first hour is shown step by step, with the port that TouchOSC needs, and leads to the presets", path=START)
def guide(visit):
    connected(visit)
    visit.page.get_by_role("button", name="Show the first hour").click()
    dialog = visit.page.get_by_role("dialog", name="Your first hour")
    dialog.wait_for()
    assert dialog.get_by_role("listitem").count() == 6
    assert f"send port {visit.instrument.port}" in dialog.text_content()
    dialog.get_by_role("button", name="Presets").first.click()
    visit.until(lambda: visit.page.url.endswith("#presets"), "the presets are not shown")
    visit.until(lambda: not dialog.is_visible(), "the dialog stays")


@check("A Wi-Fi network that the box opens while it runs is on the page, with a code to join it", path=START)
def access_point(visit):
    connected(visit)
    assert visit.page.get_by_text("the Wi-Fi network of this box").count() == 0
    visit.instrument.open_access_point("pipit-ab12", "secret12", "WIFI:T:WPA;S:pipit-ab12;P:secret12;;")
    visit.page.reload()
    connected(visit)
    code = visit.page.get_by_role("img", name="QR code of the Wi-Fi network pipit-ab12")
    code.wait_for()
    visit.until(lambda: code.evaluate("one => one.complete && one.naturalWidth > 0"), "the QR code does not come")
    visit.until(lambda: "secret12" in visit.page.locator("#main").text_content(), "its password is not shown")


@check("On a card image, an update is sent in pieces, and what becomes of it is said; then the box is started again", path=START)
def update(visit):
    connected(visit)
    frame = visit.page.get_by_role("region", name="Update", exact=True)
    assert frame.is_hidden(), "there is nothing to update here"
    box = visit.instrument
    box.stop()
    os.makedirs(box.card, exist_ok=True)
    box.start()
    visit.page.reload()
    connected(visit)
    frame.wait_for()
    content = os.urandom(2_500_000)

    def choose():
        with visit.page.expect_file_chooser() as chooser:
            frame.get_by_role("button", name="Choose a file…").click()
        chooser.value.set_files({"name": "pipit.update", "mimeType": "application/octet-stream", "buffer": content})

    choose()
    folder = pathlib.Path(box.state, "update")
    visit.until((folder / "ready").exists, "it does not arrive")
    assert (folder / "ready").read_bytes() == content
    frame.get_by_text("The update is checked").wait_for()
    # What the service of the image does: first a refusal, then a success.
    result = pathlib.Path(box.card, "update-result")
    (folder / "ready").unlink()
    result.write_text("failed it is not signed by those who made this image\n")
    frame.get_by_text("Nothing has changed: it is not signed").wait_for()
    choose()
    visit.until((folder / "ready").exists, "it does not arrive again")
    (folder / "ready").unlink()
    result.write_text("installed pipit 0.3.0 starts at the next boot.\n")
    frame.get_by_text("pipit 0.3.0 starts").wait_for()
    frame.get_by_role("button", name="Start it now").click()
    visit.page.locator("dialog[open]").get_by_role("button", name="Start it now").click()
    visit.until((folder / "restart").exists, "it is not started again")


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
    # The session comes to the disk a second later.
    visit.until(lambda: "/filter/resonance/percent 50\n" in visit.instrument.session(), visit.instrument.session)
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download a backup").click()
    with Instrument(visit.instrument.pipit) as clean, visit.beside(clean) as there:
        there.go(START)
        connected(there)
        with there.page.expect_file_chooser() as chooser:
            there.page.get_by_role("button", name="Restore…").click()
        chooser.value.set_files(download.value.path())
        there.page.locator("dialog[open]").get_by_role("button", name="Restore", exact=True).click()
        there.page.locator("dialog[open] .report").wait_for()
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
