"""A show played by pads and by a footswitch."""

import time

from lossy import LossyTablet
from machine import Failed

SONGS = 12
LAUNCHPAD = "Launchpad Mini MK3"
APC = "APC mini mk2"


def parsed(data):
    """The messages in bytes without running status, each as a tuple."""
    found = []
    for byte in data:
        if byte >= 0x80 and not (byte == 0xF7 and found and found[-1][0] == 0xF0):
            found.append([])
        if found:
            found[-1].append(byte)
    return [tuple(message) for message in found]


def lights(messages, status):
    """The last colour of each pad."""
    return {message[1]: message[2] for message in messages if len(message) == 3 and message[0] == status}


def save_two(room):
    for name, cutoff in (("One", 0.4), ("Two", 0.9)):
        room.tablet.send("/filter/cutoff", cutoff)
        room.tablet.send("/setup/save", name)
        room.until(lambda: room.value("/setup") == name, f"the setup {name}")


def board(room, name, product, port, status, first, hello=None, bye=None, ports=1):
    """A controller whose first two pads of setups are `first` and the next note; its lights have `status`."""
    save_two(room)
    pads = room.keyboard(name, product, "", ports)
    # What greets it is sent when it appears, so it listens before it is plugged in again.
    pads.unplug()
    pads.listen(port)
    room.run("sleep 1")
    pads.plug()
    room.until_played(product)
    filled, current, one, two = 45, 21, first, first + 1

    def shown():
        return lights(parsed(pads.heard()), status)
    try:
        room.until(lambda: (shown().get(one), shown().get(two)) == (filled, current), "the lights of both setups", 30)
        room.check(True, f"{product}: the setup that plays is green, the other blue")
    except Failed:
        room.check(False, f"{product}: lights {shown()}, of {len(pads.heard())} bytes")
    if hello:
        room.check(parsed(pads.heard())[0] == hello, f"{product}: greeted by {bytes(parsed(pads.heard())[0]).hex(' ')}")
    pads.press(0x90, one, 100, port=port)
    pads.press(0x80, one, 0, port=port)
    room.until(lambda: room.value("/setup") == "One", f"{product}: a pad to recall its setup", 30)
    room.check(abs(room.value("/filter/cutoff") - 0.4) < 1e-3, f"{product}: a pad recalls its setup")
    room.until(lambda: (shown().get(one), shown().get(two)) == (current, filled), "the lights to follow", 30)
    room.check(True, f"{product}: the lights follow")
    room.run("systemctl stop pipit")
    if bye:
        room.check(parsed(pads.heard())[-1] == bye, f"{product}: left with {bytes(parsed(pads.heard())[-1]).hex(' ')}")
    pads.deafen()


def launchpad(room):
    """A Launchpad Mini [MK3] on its second port: programmer mode, lights, a pad that recalls a setup."""
    board(room, "launch", LAUNCHPAD, 1, 0x90, 81, hello=(0xF0, 0x00, 0x20, 0x29, 0x02, 0x0D, 0x0E, 0x01, 0xF7),
          bye=(0xF0, 0x00, 0x20, 0x29, 0x02, 0x0D, 0x0E, 0x00, 0xF7), ports=2)


def apc(room):
    """An APC mini mk2 on its first port: lights on channel 7, a pad that recalls a setup."""
    board(room, "apc", APC, 0, 0x96, 56, ports=2)


def cutoff(song):
    return round(0.2 + song / 20, 3)


def show(room):
    """Twelve entries by a footswitch, with two lossy tablets, a pulled plug and kill -9 between songs."""
    tablet = room.tablet
    foot = room.keyboard("foot", "Footswitch")
    room.run("pipit bindings add any 'cc 21 any press 0 1 7 /set/next'")
    lines = ["pipit setlist 1"]
    for song in range(SONGS):
        tablet.send("/filter/cutoff", cutoff(song))
        tablet.send("/setup/save", f"Setup {song}")
        room.until(lambda: room.value("/setup") == f"Setup {song}", f"setup {song}")
        lines += [f"entry setup 0 {song} Setup {song}", f"title Song {song}"]
    tablet.send("/setlists/import", "\n".join(lines) + "\n", "Show")
    tablet.send("/set/name", "Show")
    room.until(lambda: room.value("/set/count") == SONGS, "the setlist")
    tablets = [LossyTablet(room.machine.port) for _ in range(2)]
    for one in tablets:
        one.send("/subscribe")
    true, checked = 0, 0
    for song in range(SONGS):
        foot.press(0xB0, 21, 127)
        foot.press(0xB0, 21, 0)
        room.until(lambda: room.value("/set/place") == song + 1, f"entry {song + 1} by the footswitch", 30)
        room.check(abs(room.value("/filter/cutoff") - cutoff(song)) < 1e-3, f"song {song}: its own sound")
        for one in tablets:
            for address in ("/set/title", "/set/place", "/setup", "/filter/cutoff"):
                truth, end = room.value(address), time.monotonic() + 30
                while one.shown.get(address) != truth and time.monotonic() < end:
                    one.listen(0.2)
                true, checked = true + (one.shown.get(address) == truth), checked + 1
        if song in (2, 8):
            foot.unplug()
            room.run("sleep 1")
            room.check(room.value("/set/place") == song + 1, f"song {song}: plays on without its plug")
            foot.plug()
            room.until_played("Footswitch")
        if song == 5:
            # What was changed is on the disk five seconds later at most.
            room.run("sleep 6; systemctl kill -s KILL pipit; sleep 0.5; systemctl reset-failed pipit || true")
            room.check(room.service.start(), "pipit answers after kill -9")
            room.until_played("Footswitch")
            room.check(room.value("/set/title") == f"Song {song}", "it wakes on the same entry")
            room.check(abs(room.value("/filter/cutoff") - cutoff(song)) < 1e-3, "it wakes with the same sound")
            for one in tablets:
                one.send("/subscribe")
    room.check(true == checked, f"{true} of {checked} values of two lossy tablets are true")


SCENES = [launchpad, apc, show]
