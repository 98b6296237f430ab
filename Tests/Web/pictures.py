"""Pictures of every view in three sizes, with a sound of the factory's and a note held."""

import io
import pathlib

from PIL import Image

from browser import SIZES
from instrument import Instrument
from panel import PAGES, VIEWS, connected, open_page

FOLDER = pathlib.Path(__file__).parent / "pictures"
PRESET = "Wide Pad"
# Few enough for a picture of half the size, and so chosen that large areas keep their color.
COLORS = 256


def take_pictures(browser, pipit):
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with Instrument(pipit) as instrument:
        instrument.send("/preset/load", PRESET)
        instrument.send("/note/60", 0.7)
        for size in SIZES:
            with browser.visit(instrument, size) as visit:
                visit.go()
                connected(visit)
                for name in [f"panel/{one}" for one in PAGES] + list(VIEWS[1:]):
                    open_page(visit, f"#{name}")
                    visit.page.wait_for_timeout(600)
                    save(visit.page.screenshot(), FOLDER / f"{name.replace('/', '-')}-{size}.png")
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}")


def save(picture, path):
    colors = Image.open(io.BytesIO(picture)).convert("RGB")
    colors.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
