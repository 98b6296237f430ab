"""MIDI files that test a sound, besides its phrase."""

import struct

TICKS = 480  # in a beat, which lasts half a second

NOTE, HELD = 57, 1.5  # the key for tests of touch, wheel and pressure, and its duration in seconds
# Notes by which sounds are compared: a low soft key, one in the middle, and a high hard one.
SHOWN = [(33, 60), (57, 100), (81, 120)]
APART, SHOWN_HELD = 1.6, 1.0  # seconds from one note to the next, and the duration of each


def _quantity(value):
    out = [value & 0x7F]
    while value := value >> 7:
        out.append(0x80 | value & 0x7F)
    return bytes(reversed(out))


def song(events):
    """The bytes of a MIDI file; events are (seconds, bytes), in order of time."""
    data, before = b"\0\xff\x51\x03" + struct.pack(">I", 500_000)[1:], 0
    for seconds, event in events:
        tick = round(seconds * 2 * TICKS)
        data += _quantity(tick - before) + event
        before = tick
    data += b"\0\xff\x2f\0"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">I", len(data)) + data


def _keys(keys, velocity, start=0.0, held=HELD):
    return [(start, bytes([0x90, key, velocity])) for key in keys] + [
        (start + held, bytes([0x80, key, 64])) for key in keys]


def stimuli():
    """By name."""
    note = _keys([NOTE], 100)
    shown = [event for turn, (key, velocity) in enumerate(SHOWN)
             for event in _keys([key], velocity, turn * APART, SHOWN_HELD)]
    return {
        "shown": song(shown),
        "note": song(note),
        "soft": song(_keys([NOTE], 40)),
        "wheel": song([(0, bytes([0xB0, 1, 127]))] + note),
        "pressure": song(note[:1] + [(0, bytes([0xD0, 127]))] + note[1:]),
        # Eight keys at the highest velocity.
        "hard": song(_keys([36, 43, 48, 52, 55, 60, 64, 67], 127)),
        # One key repeatedly, a beat apart.
        "repeats": song([event for turn in range(4) for event in _keys([NOTE], 100, turn * 1.0, 0.3)]),
    }
