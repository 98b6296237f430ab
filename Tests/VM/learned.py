"""What a keyboard's knob is taught by touching a fader and turning it, and what its lamps are told."""

KNOB = "/filter/cutoff"


def teach(room, keyboard):
    """LEARN, a touch of the fader, and a turn of the knob, controller 21, from 10 to 12."""
    room.tablet.send("/learn")
    room.run("sleep 0.4")
    room.tablet.send(KNOB, 0.8)
    room.run("sleep 0.4")
    asked = room.value("/learn/text")
    for number in (10, 11, 12):
        keyboard.press(0xB0, 21, number)
    room.run("sleep 0.4")
    said, moves = room.value("/learn/text"), room.tablet.lines("/bindings")
    room.tablet.send("/learn")
    room.run("sleep 0.4")
    room.tablet.send("/learn")
    room.run("sleep 0.4")
    room.check(len(moves) == 1 and moves[0][3:5] == [KNOB, "pickup"],
               f"learned by fader and knob ('{asked}', '{said}'): {', '.join(moves[0]) if moves else 'nothing'}")
    room.check(room.value("/learn/state") == 0, "two more presses end it")


def turn(room, keyboard, numbers):
    """Where the fader is before and after each movement of the hand."""
    places = [room.value(KNOB)]
    for number in numbers:
        keyboard.press(0xB0, 21, number)
        room.run("sleep 0.06")
        places.append(room.value(KNOB))
    return places


def sweep(room, keyboard, when, fader, numbers):
    """The fader is put somewhere, and the hand comes by: it goes along from there, without a jump."""
    room.tablet.send(KNOB, fader)
    room.run("sleep 0.3")
    numbers = list(numbers)
    places = turn(room, keyboard, numbers)
    steps = [abs(b - a) for a, b in zip(places, places[1:])]
    own = max(abs(b - a) for a, b in zip(numbers, numbers[1:])) / 127
    room.check(abs(places[0] - fader) < 0.01 and max(steps) < own + 0.5 / 127 and abs(places[-1] - numbers[-1] / 127) < 0.01,
               f"{when}: from {places[0]:.3f} to {places[-1]:.3f}, the hand from {numbers[0] / 127:.3f} to "
               f"{numbers[-1] / 127:.3f}; the largest step is {max(steps):.4f}, the hand's {own:.4f}")


def learned(room):
    """A knob that is taught, over a restart and an unplugging; picking up never jumps."""
    desk = room.keyboard("desk", "Desk", "7")
    teach(room, desk)
    sweep(room, desk, "picked up from below", 0.8, range(12, 128, 5))
    sweep(room, desk, "moved by the tablet meanwhile", 0.4, range(127, -1, -5))
    room.run("systemctl restart pipit")
    room.check(room.service.start(), "pipit answers again")
    room.until_played("Desk")
    room.check(len(room.tablet.lines("/bindings")) == 1, "the binding is there after a restart")
    sweep(room, desk, "after the restart", 0.6, range(20, 128, 5))
    desk.unplug()
    room.until(lambda: room.devices("Desk")[0][1] == "not there", "it to be gone")
    desk.plug()
    room.until_played("Desk")
    sweep(room, desk, "after an unplugging, the knob turned meanwhile", 0.5, range(1, 128, 5))
    desk.off()
    room.run("systemctl restart pipit")
    room.check(room.service.start(), "pipit answers again")
    desk.on(3)
    room.until_played("Desk")
    sweep(room, desk, "in another socket after a restart", 0.3, range(127, 0, -5))


def lamps(room):
    """A keyboard with lamps is sent what its knobs move, and only that."""
    desk = room.keyboard("desk", "Desk", "7")
    teach(room, desk)
    desk.listen()
    room.tablet.send(KNOB, 0.25)
    room.run("sleep 0.5")
    room.check(desk.heard() == b"", "without feedback it is sent nothing")
    room.tablet.answer("/device/set", "Desk MIDI 1", "feedback", "on")
    room.run("sleep 0.5")
    first = desk.heard()
    room.check(values(first) == [32], f"it is sent what its knob moves when that is asked for: {first.hex(' ')}")
    for place in (0.5, 0.0, 1.0):
        room.tablet.send(KNOB, place)
        room.run("sleep 0.3")
    after = values(desk.heard()[len(first):])
    room.check(after == [64, 0, 127], f"and what the tablet's fader moves: {after}")
    count = len(desk.heard())
    for number in range(127, 60, -3):
        desk.press(0xB0, 21, number)
    room.run("sleep 0.6")
    back = values(desk.heard()[count:])
    room.check(back == [], f"nothing comes back to the hand that moves it: {back}")
    room.run("date +%s.%N >/run/began")
    for step in range(60):
        room.tablet.send(KNOB, step / 59)
        room.run("true")
    took = float(room.run("sleep 0.5; echo $(date +%s.%N) $(cat /run/began) | awk '{ print $1 - $2 }'"))
    sent = values(desk.heard()[count:])
    room.check(sent[-1] == 127 and len(sent) <= 30 * took + 2, f"60 steps of the fader in {took:.1f} s are {len(sent)} messages, "
               f"30 a second at most, the last of them {sent[-1]}")
    desk.deafen()
    desk.off()
    room.tablet.send(KNOB, 0.75)
    room.run("sleep 0.3")
    desk.on()
    desk.listen()
    room.until_played("Desk")
    room.run("sleep 0.5")
    again = values(desk.heard())
    room.check(again == [95] or again == [96], f"switched on again it is sent what is: {again}")
    count = len(desk.heard())
    for step in range(10):
        desk.unplug()
        room.tablet.send(KNOB, step / 20)
        room.run(f"sleep 0.{step}")
        desk.plug()
        room.tablet.send(KNOB, 1 - step / 20)
        room.run(f"sleep 0.{9 - step}")
    room.until_played("Desk")
    room.tablet.send(KNOB, 0.125)
    room.run("sleep 0.5")
    last = values(desk.heard()[count:])
    room.check(last[-1:] == [16], f"pulled out and put back ten times while the fader moves, it shows that at last: {last}")
    desk.deafen()


def values(data):
    """Those of controller 21 on channel 1, which is all that there is, with running status or without."""
    data = bytes(byte for byte in data if byte != 0xB0)
    assert len(data) % 2 == 0 and set(data[::2]) <= {21}, data.hex(" ")
    return list(data[1::2])


SCENES = [learned, lamps]
