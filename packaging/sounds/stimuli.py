"""MIDI files that test a sound, besides its phrase."""

import struct

TICKS = 480  # in a beat, which lasts half a second

NOTE, HELD = 57, 1.5  # the key for tests of touch, wheel and pressure, and its duration in seconds
# Notes by which sounds are compared: a low soft key, one in the middle, and a high hard one.
SHOWN = [(33, 60), (57, 100), (81, 120)]
APART, SHOWN_HELD = 1.6, 1.0  # seconds from one note to the next, and the duration of each
CHORD = [36, 43, 48, 52, 55, 60, 64, 67]
KEYS = [36, 48, 60, 72, 84, 96]  # for the spread of the level
TURN = 4.0  # seconds from one note to the next, where each is measured alone
# Equal strokes: how many, seconds from one to the next, and for how long each is held.
STROKES, STROKE, STROKE_HELD = 12, 1.5, 1.0
VELOCITIES = [20, 40, 60, 80, 100, 127]  # of strokes that are compared with each other
START = 0.1  # seconds before the first, for messages


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


def register(preset):
    """The key where a sound is at home."""
    return 36 if preset.category == "basses" or "drum" in preset.tags else 60


def alone(preset):
    """Notes that are measured one by one, each cut off before the next: the softest and the hardest stroke, one key in
    each octave, and eight keys."""
    turns = [([register(preset)], velocity) for velocity in (20, 127)] + [([key], 100) for key in KEYS] + [(CHORD, 100)]
    events = []
    for turn, (keys, velocity) in enumerate(turns):
        events += sorted(_keys(keys, velocity, turn * TURN), key=lambda event: event[0])
        events.append(((turn + 1) * TURN - 0.4, bytes([0xB0, 120, 0])))
    return song(events)


def strokes(key, velocities=(100,) * STROKES, channel=0, before=()):
    """Strokes of one key, after messages that choose what it plays."""
    events = [(0.0, message) for message in before]
    for turn, velocity in enumerate(velocities):
        start = START + turn * STROKE
        events += [(start, bytes([0x90 | channel, key, velocity])), (start + STROKE_HELD, bytes([0x80 | channel, key, 64]))]
    return song(events)


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
        "hard": song(_keys(CHORD, 127)),
        # One key repeatedly, a beat apart.
        "repeats": song([event for turn in range(4) for event in _keys([NOTE], 100, turn * 1.0, 0.3)]),
    }
