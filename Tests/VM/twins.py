"""Which keyboard is which: two of one model, ports for a DAW, ports that are denied."""

from recording import hertz


def control(room, keyboard, number):
    """The controller 21 of a keyboard at a number; what it moves is (cutoff, resonance) then."""
    for address in ("/filter/cutoff", "/filter/resonance"):
        room.tablet.send(address, 0.5)
    room.run("sleep 0.2")
    keyboard.press(0xB0, 21, number)
    room.run("sleep 0.3")
    return tuple(round(room.value(address), 2) for address in ("/filter/cutoff", "/filter/resonance"))


def bound(room, product, serials):
    """Two keyboards of one model, the controller 21 of the first bound to the cutoff and of the second to the resonance."""
    made = [room.keyboard(name, product, serial, count=count) for count, name, serial in zip((1, 2), ("one", "two"), serials)]
    lines = sorted(room.devices(product), key=lambda line: line[3])
    for line, address in zip(lines, ("/filter/cutoff", "/filter/resonance")):
        room.tablet.answer("/bindings/add", line[0], f"cc 21 any jump 0 1 7 {address}")
    print("        " + "; ".join(f"{line[0]} {line[2]}, {line[3]}" for line in lines))
    return made


def swap(room, one, two):
    """Both off, and on again in one another's sockets: neither is there meanwhile."""
    sockets = [room.run(f"keyboard socket {keyboard.name}").strip() for keyboard in (two, one)]
    switch_off(room, one, two)
    one.on(sockets[0])
    room.until_played(one.product)
    two.on(sockets[1])
    room.until_played(one.product, 2)


def switch_off(room, *keyboards):
    for keyboard in keyboards:
        keyboard.off()
    room.until(lambda: all(line[1] == "not there" for line in room.devices(keyboards[0].product)), "both to be gone")


def numbered(room):
    """Two keyboards of one model with serial numbers are swapped between sockets."""
    one, two = bound(room, "Twin", ("A1", "B2"))
    before = control(room, one, 127), control(room, two, 127)
    swap(room, one, two)
    after = control(room, one, 127), control(room, two, 127)
    room.check(before == after == ((1, 0.5), (0.5, 1)), f"each moves what it moved, in either socket: {before} and {after}")
    room.run("systemctl stop pipit; sleep 0.5")
    sockets = [room.run(f"keyboard socket {keyboard.name}").strip() for keyboard in (two, one)]
    one.off(), two.off()
    one.on(sockets[0]), two.on(sockets[1])
    room.check(room.service.start(), "pipit answers again")
    room.until_played("Twin", 2)
    after = control(room, one, 127), control(room, two, 127)
    room.check(after == ((1, 0.5), (0.5, 1)), f"swapped while pipit was off, too: {after}")
    known = room.devices("Twin")
    room.check(len(known) == 2, f"and they are two devices all the time: {len(known)}")


def numberless(room):
    """The same of a model that gives all the same number: what was set stays with the sockets."""
    one, two = bound(room, "Plain", ("000000", "000000"))
    before = control(room, one, 127), control(room, two, 127)
    switch_off(room, two, one)
    two.on(1), one.on(0)
    room.until_played("Plain", 2)
    same = control(room, one, 127), control(room, two, 127)
    swap(room, one, two)
    after = control(room, one, 127), control(room, two, 127)
    room.check(before == same == ((1, 0.5), (0.5, 1)), f"plugged in again in another order each is itself: {before}, {same}")
    room.check(after == ((0.5, 1), (1, 0.5)) and len(room.devices("Plain")) == 2, f"swapped, the socket counts: {after}")


def denied(room):
    """Ports that are left alone: the one for a DAW, and one that the player denies."""
    keys = room.keyboard("pad", "Launchkey Test", "", 2)

    def heard(port):
        keys.press(0x90, 69, 100, port=port)
        loud = room.loudness(hertz(69))
        keys.press(0x80, 69, 0, port=port)
        room.run("sleep 0.3")
        return loud

    room.until(lambda: len(room.devices("Launchkey")) == 2, "both of its ports")
    first, second = sorted(room.devices("Launchkey"), key=lambda line: line[2])
    for line in first, second:
        print("        " + ", ".join(line))
    loud = [heard(0), heard(1)]
    room.check(first[1] == "played" and "DAW" in second[1] and loud[0] > -40 and loud[1] < -80,
               f"the port for a DAW is left alone ({loud[0]:.0f} and {loud[1]:.0f} dB)")
    room.run(f"pipit devices allow {second[0]}; pipit devices deny {first[0]}")
    room.until(lambda: [line[1] for line in room.devices("Launchkey")].count("played") == 1, "that to act")
    loud = [heard(0), heard(1)]
    room.check(loud[0] < -80 and loud[1] > -40, f"unless it is allowed, and the other denied ({loud[0]:.0f} and {loud[1]:.0f} dB)")
    keys.press(0x90, 69, 100, port=1)
    held = room.loudness(hertz(69))
    room.run(f"pipit devices deny {second[0]}")
    left = room.loudness(hertz(69))
    room.check(held > -40 and left < -80, f"what it holds when it is denied ends ({held:.0f} and {left:.0f} dB)")
    keys.off()
    room.until(lambda: all(line[1] == "not there" for line in room.devices("Launchkey")), "it to be gone")
    keys.on()
    room.until(lambda: all(line[1] == "not allowed" for line in room.devices("Launchkey")), "it to be denied again")
    loud = [heard(0), heard(1)]
    room.check(max(loud) < -80, f"plugged in again it is denied still ({loud[0]:.0f} and {loud[1]:.0f} dB)")


SCENES = [numbered, numberless, denied]
