"""What a page costs the instrument: bytes that it is sent and processor time, a second.

Each row is measured for ten seconds with four notes held: without a page, with one that shows nothing that sounds,
and with pages that show the spectrum, or scope and meters too.
"""

import os

from instrument import Instrument
from panel import connected, open_page

SECONDS = 10


def processor(instrument):
    """Seconds of processor time that it has used."""
    fields = open(f"/proc/{instrument.process.pid}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(instrument):
    """Kilobytes that are resident, and those of them that are its own."""
    lines = open(f"/proc/{instrument.process.pid}/status", encoding="utf-8").read().splitlines()
    return tuple(int(next(line for line in lines if line.startswith(name)).split()[1]) for name in ("VmRSS", "RssAnon"))


def row(title, instrument, visit, wait):
    wait(3_000)
    before, frames = processor(instrument), len(visit.frames) if visit else 0
    wait(SECONDS * 1000)
    share = 100 * (processor(instrument) - before) / SECONDS
    size = sum(len(data) for data in visit.frames[frames:]) / SECONDS if visit else 0
    rate = (len(visit.frames) - frames) / SECONDS if visit else 0
    resident, own = memory(instrument)
    print(f"{title:34} {share:6.2f} % of a core {size:9.0f} bytes/s {rate:6.1f} frames/s {resident:7} kB, own {own} kB", flush=True)


def print_costs(browser, pipit):
    with Instrument(pipit) as instrument:
        for note in (48, 55, 60, 64):
            instrument.send(f"/note/{note}", 0.7)
        with browser.visit(instrument, "tablet") as other:
            row("no page", instrument, None, other.page.wait_for_timeout)
        for title, size, view in (("a page of presets", "tablet", "#presets"), ("filter with the spectrum behind", "tablet", "#panel/filter"),
                                  ("scope, spectrum, meters of parts", "desktop", "#mixer")):
            with browser.visit(instrument, size) as visit:
                visit.go()
                connected(visit)
                open_page(visit, view)
                row(title, instrument, visit, visit.page.wait_for_timeout)
        with browser.visit(instrument, "tablet") as other:
            row("no page again", instrument, None, other.page.wait_for_timeout)
