"""A track of a MIDI file, for the generators of the songs beside this file."""

import pathlib
import struct

QUARTER = 480  # ticks
KEYS = ["c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b"]
FLATS = {"db": "c#", "eb": "d#", "gb": "f#", "ab": "g#", "bb": "a#"}


def number(name):
    """The key of a name as "f#4"; "c4" is middle C."""
    letter, octave = name[:-1], int(name[-1])
    return 12 * (octave + 1) + KEYS.index(FLATS.get(letter, letter))


def quantity(value):
    out = [value & 0x7F]
    while value := value >> 7:
        out.append(0x80 | value & 0x7F)
    return bytes(reversed(out))


class Track:
    """Events at absolute ticks; notes that end come before notes that begin at the same tick."""

    def __init__(self, name, channel=0):
        self.channel = channel
        self.events = []
        self.add(0, -2, bytes([0xFF, 0x03, len(name)]) + name.encode())

    def add(self, tick, order, data):
        self.events.append((round(tick), order, len(self.events), data))

    def program(self, tick, program, order=0):
        """A factory preset, counted from 1 as the files are."""
        self.add(tick, order, bytes([0xC0 | self.channel, program - 1]))

    def controller(self, tick, controller, value):
        self.add(tick, 0, bytes([0xB0 | self.channel, controller, max(0, min(127, round(value)))]))

    def pressure(self, tick, value):
        self.add(tick, 0, bytes([0xD0 | self.channel, max(0, min(127, round(value)))]))

    def bend(self, tick, value):
        value = max(0, min(16383, 8192 + round(value)))
        self.add(tick, 0, bytes([0xE0 | self.channel, value & 0x7F, value >> 7]))

    def note(self, tick, length, key, velocity):
        """A key by its name or number."""
        key = number(key) if isinstance(key, str) else key
        velocity = max(1, min(127, round(velocity)))
        self.add(tick, 1, bytes([0x90 | self.channel, key, velocity]))
        self.add(tick + length, -1, bytes([0x80 | self.channel, key, 64]))

    def tempo(self, tick, quarters_a_minute):
        self.add(tick, 0, b"\xff\x51\x03" + struct.pack(">I", round(60_000_000 / quarters_a_minute))[1:])

    def chunk(self, end):
        data, before, status = b"", 0, None
        for tick, _, _, event in sorted(self.events, key=lambda e: e[:3]) + [(end, 0, 0, b"\xff\x2f\x00")]:
            data += quantity(tick - before)
            before = tick
            # Running status, as sequencers write it.
            data += event[1:] if event[0] == status else event
            status = event[0] if event[0] < 0xF0 else None
        return b"MTrk" + struct.pack(">I", len(data)) + data


def begin(channel, name, preset, level, pan):
    """A track that begins with a factory preset, counted from 1, its level and its pan."""
    track = Track(name, channel)
    track.controller(0, 0, 0)
    track.program(0, preset)
    track.controller(0, 7, level)
    track.controller(0, 10, pan)
    return track


def write(script, tracks, end):
    """Writes the song beside its generator. A text event says that its programs are those of pipit's banks."""
    tracks[0].add(0, -2, b"\xff\x01\x05pipit")
    header = b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), QUARTER)
    path = pathlib.Path(script).with_suffix(".mid")
    path.write_bytes(header + b"".join(track.chunk(end) for track in tracks))
    print(f"{path.name}: {path.stat().st_size} bytes")
