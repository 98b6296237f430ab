"""Uses the page of a running instrument: use.py PIPIT [--only WORD] [--pictures] [--cost]

Each check is a function that says what people do, and gets a window of the browser with the page in it. A check fails
by an exception, by an error in the page, and by a request to any other machine.
"""

import argparse
import pathlib
import sys
import time
import traceback

from browser import Browser
from instrument import Instrument
from cost import print_costs
from pictures import take_pictures
import checks_of_box
import checks_of_frame
import checks_of_panel
import checks_of_presets
import checks_of_songs
import checks_of_stage

CHECKS = checks_of_frame.ALL + checks_of_panel.ALL + checks_of_presets.ALL + checks_of_box.ALL + checks_of_songs.ALL + checks_of_stage.ALL

MOST_FAILURES = 5


def check(browser, instrument, one, failed):
    """Runs a check in a new window, and notes the reason if it failed."""
    begin = time.monotonic()
    try:
        with browser.visit(instrument, one.size) as visit:
            try:
                visit.go(one.path)
                one.act(visit)
                visit.page.wait_for_timeout(50)
                assert not visit.strangers, f"it asks other machines: {visit.strangers}"
                assert not visit.errors, f"errors in the page: {visit.errors}"
            except Exception:
                visit.page.screenshot(path=f"{failed.folder}/{one.act.__name__}.png")
                raise
        print(f"ok    {one.words} ({time.monotonic() - begin:.1f} s)", flush=True)
        return True
    except Exception as error:
        print(f"FAIL  {one.words}: {short(error)}", flush=True)
        failed.reasons.append(f"\n{one.words}\n{where(error)}{error}")
        return False


def where(error):
    """The lines of these files that led to an error."""
    here = str(pathlib.Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(here)]
    return "".join(traceback.format_list(frames[1:]))


def short(error):
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__


class Failed:
    """What failed, and a folder for pictures of it."""

    def __init__(self):
        self.reasons = []
        self.folder = pathlib.Path(".build/web/failed")
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.png"):
            old.unlink()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("pipit")
    options.add_argument("--only", metavar="WORD", default="", help="checks whose words contain this")
    options.add_argument("--pictures", action="store_true", help="take the pictures in Tests/Web/pictures instead")
    options.add_argument("--cost", action="store_true", help="measure what pages cost the instrument instead")
    options = options.parse_args()
    with Browser() as browser:
        if options.pictures:
            return take_pictures(browser, options.pipit)
        if options.cost:
            return print_costs(browser, options.pipit)
        chosen = [one for one in CHECKS if options.only.lower() in one.words.lower()]
        failed = Failed()
        with Instrument(options.pipit) as instrument:
            passed = 0
            for index, one in enumerate(chosen):
                # What is broken for all would take each of them its minutes.
                if len(failed.reasons) == MOST_FAILURES:
                    print(f"{MOST_FAILURES} failures: the other {len(chosen) - index} are not run, and count as failed", flush=True)
                    break
                passed += check(browser, instrument, one, failed)
            log = instrument.logged()
    if failed.reasons:
        print("\n".join(failed.reasons), f"\npipit said:\n{log[-2000:]}", f"\nPictures: {failed.folder}", sep="\n")
    print(f"{passed} passed, {len(chosen) - passed} failed")
    sys.exit(passed != len(chosen) or not chosen)


main()
