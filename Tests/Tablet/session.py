"""A running instrument with sounds on its parts, and what it sends to a tablet."""

import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/VM"))
from osc import Tablet, messages  # noqa: E402

SETLIST = """pipit setlist 1
entry setup 0 1 Night drive
title Opening
notes Wait for the singer.
entry setup 0 0 Slow one
"""
SONG = (ROOT / "presets/songs/octet.mid").read_bytes()
# What a player might set up: a keyboard split into bass and keys with strings on top, and drums for a sequencer.
SETTINGS = [
    ("/part/1/preset/load", "Upright Bass"), ("/part/2/preset/load", "Dusty Keys"),
    ("/part/3/preset/load", "Chamber Strings"), ("/part/4/preset/load", "Drum Kit"),
    ("/split/at", "C3"), ("/part/3/on", 1), ("/part/3/channel", "omni"), ("/part/3/key/low/key", "C4"),
    ("/part/4/on", 1), ("/part/4/channel", "10"),
    ("/part/1/level/db", -3.0), ("/part/3/level/db", -9.0), ("/part/4/level/db", -5.0),
    ("/part/2/pan/percent", 15.0), ("/part/3/pan/percent", -30.0), ("/master/level/db", -6.0),
    ("/master/eq/bypass", 0), ("/master/eq/frequency/hz", 320.0), ("/master/eq/gain/db", -4.0),
    ("/tempo/bpm", 96.0), ("/focus", 2), ("/preset/text", "Late Night Keys"),
    ("/snapshot/store", 1), ("/snapshot/a", 1), ("/snapshot/a", 0), ("/snapshot/a/rename", "Verse"),
    ("/setup/save", "Slow one"), ("/setup/save", "Night drive"), ("/setlists/import", SETLIST, "Friday"),
    ("/set/name", "Friday"), ("/set/place", 1),
    ("/song/data", 0, SONG.hex()), ("/song/load", "octet"), ("/song/position", 12.0),
    ("/song/tempo/percent", 70.0), ("/song/transpose", -2), ("/song/channel/3/mute", 1),
]
# A chord that sounds while the pictures are taken.
CHORD = [60, 64, 67, 71]


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def values(pipit):
    """The first value of each address that a tablet is told, once nothing changes any more."""
    port = free_port()
    with tempfile.TemporaryDirectory() as state:
        process = subprocess.Popen(
            [pipit, "serve", "--config", "/dev/null", "--device", "clock", "--period", "1024", "--osc-port", str(port),
             "--reply-port", str(free_port()), "--state", state, "--presets", ROOT / "presets"],
            stderr=subprocess.DEVNULL)
        try:
            return collect(Tablet(port))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def collect(tablet):
    # A question is answered as soon as the instrument runs.
    begin = time.monotonic()
    while tablet.ask("/status/process", timeout=0.2) is None:
        assert time.monotonic() < begin + 20, "pipit does not start"
    tablet.send("/subscribe")
    sent = {}
    listen(tablet, sent)
    for address, *given in SETTINGS:
        tablet.send(address, *given)
        listen(tablet, sent, quiet=0.3)
    for note in CHORD:
        tablet.send("/note", note, 0.8)
    # The notice of the split ends by itself.
    while sent.get("/notice") and time.monotonic() < begin + 40:
        listen(tablet, sent)
    tablet.send("/sync")
    listen(tablet, sent, quiet=2)
    return sent


def listen(tablet, sent, quiet=1.0):
    """Takes what comes until nothing has changed for so many seconds, but for figures of the moment."""
    until = time.monotonic() + quiet
    while time.monotonic() < until:
        tablet.socket.settimeout(max(0.01, until - time.monotonic()))
        try:
            packet = tablet.socket.recv(65536)
        except TimeoutError:
            return
        for address, arguments in messages(packet):
            if address == "/who":
                tablet.send("/here", arguments[0])
            elif address == "/error":
                sys.exit(f"pipit says: {arguments[0]}")
            elif arguments and sent.get(address) != arguments[0]:
                sent[address] = arguments[0]
                if not address.startswith("/status/"):
                    until = time.monotonic() + quiet
