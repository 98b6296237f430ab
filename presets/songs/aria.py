#!/usr/bin/env python3
"""Writes aria.mid beside itself: a solo with wheel and pressure, and an own piece, "Evening without Wind".

A violin sings over a harp, strings and a bass. Its notes are half of it: pressure swells and falls with each long note,
the wheel brings the vibrato in late and takes it out before the note ends, and the bend slides into what is leapt to.
"""

from track import QUARTER, Track, begin, number, write

BAR, EIGHTH = 4 * QUARTER, QUARTER // 2
VIOLIN, HARP, STRINGS, BASS = range(4)
PARTS = {VIOLIN: ("Violin", 102, 114, 60), HARP: ("Harp", 79, 118, 76), STRINGS: ("Strings", 104, 116, 58),
         BASS: ("Bass", 34, 110, 66)}

# Each bar: the bass, the chord above it and the tune, in halves where it changes there. The lengths of the tune are in
# eighths of a quarter.
MUSIC = [
    ("c2", "g3 b3 e4", "r/24 b4/8"),
    ("e2", "g3 b3 e4", "b4/24 e5/8"), ("d2", "g3 b3 e4", "g5/16 f#5/8 e5/8"), ("c2", "g3 b3 e4", "e5/24 d5/4 c5/4"),
    ("a1 b1", "g3 c4 e4; f#3 a3 d#4", "c5/8 a4/8 b4/12 d#5/4"), ("e2", "g3 b3 e4", "e5/24 g5/8"),
    ("d2 d2", "g3 b3 d4; f#3 a3 d4", "b5/16 a5/8 f#5/8"), ("c2 d2", "g3 b3 e4; f#3 a3 d4", "g5/8 e5/8 a5/8 f#5/8"),
    ("g2", "g3 b3 d4", "g5/24 r/8"),
    ("c#2", "g3 a3 e4", "a5/16 g5/8 e5/8"),
    ("d2 c2", "f#3 a3 d4; f#3 a3 d4", "f#5/24 a5/8"), ("b1", "g3 b3 d4", "b5/24 d6/8"),
    ("a1", "g3 c4 e4", "c6/8 b5/8 a5/8 g5/8"), ("f#2 b1", "e3 a3 c4; d#3 a3 b3", "a5/12 g5/4 f#5/8 d#5/8"),
    ("c2", "e3 g3 b3", "e5/32"), ("a1", "e3 a3 c4", "b5/16 a5/16"), ("b1 b1", "e3 g3 b3; d#3 a3 b3", "g5/16 f#5/16"),
    ("e2", "e3 g3 b3", "e5/32"), ("e2", "e3 g3 b3", "r/8 e6/24"),
]
END = (len(MUSIC) + 1) * BAR
# How loud each bar is, 0 to 1: one long rise to the highest note, and a fall.
ARCH = [0.35, 0.4, 0.45, 0.45, 0.5, 0.55, 0.7, 0.6, 0.5, 0.65, 0.75, 0.95, 1, 0.8, 0.6, 0.7, 0.55, 0.4, 0.25]


def halves(words, mark=None):
    """What a bar holds, with when it comes and for how long."""
    parts = words.split(mark)
    return [(turn * BAR // len(parts), BAR // len(parts), part.strip()) for turn, part in enumerate(parts)]


def conductor():
    track = Track("Evening without Wind")
    track.add(0, -1, b"\xff\x58\x04\x04\x02\x18\x08")  # 4/4
    track.add(0, -1, b"\xff\x59\x02\x01\x01")  # E minor
    for bar in range(len(MUSIC)):
        # It presses on where it grows, and takes its time at the ends of both halves.
        slow = {0: 4, 8: 9, 13: 6, 14: 8, 16: 8, 17: 12, 18: 16}.get(bar, 0)
        for half in range(2):
            track.tempo(bar * BAR + half * BAR // 2, 81 + 6 * ARCH[bar] - slow * (half + 1) / 2)
    return track


def violin():
    track = begin(VIOLIN, *PARTS[VIOLIN])
    before = None
    for bar, (_, _, tune) in enumerate(MUSIC):
        tick = bar * BAR
        for word in tune.split():
            name, eighths = word.split("/")
            length = int(eighths) * EIGHTH // 4
            if name != "r":
                sing(track, tick, length, number(name), before, ARCH[bar])
            before = number(name) if name != "r" else None
            tick += length
        assert tick == (bar + 1) * BAR, tune
    track.pressure(END - 20, 0)
    return track


def sing(track, tick, length, key, before, loud):
    """A note: slurred to what comes next, with what the left hand and the bow do."""
    track.note(tick, length + 20 if length < 2 * QUARTER else length - 40, key, 74 + 44 * loud)
    # A slide from half a semitone towards where the hand comes from, into what is leapt to.
    if before is not None and abs(key - before) >= 3:
        side = -1 if key > before else 1
        for step in range(6):
            track.bend(tick + 16 * step, side * 2048 * (5 - step) / 5)
    # The bow: into the note, on to its middle, and off.
    steps = max(2, length // 120)
    for step in range(steps):
        place = step / steps
        swell = min(place / 0.55, (1 - place) / 0.45)
        deep = 1.0 if length >= 2 * QUARTER else 0.45
        track.pressure(tick + 10 + step * length // steps, 14 + 50 * loud * (0.4 + deep * swell))
    # The vibrato comes after a while, and rests before the next note.
    if length >= QUARTER:
        waits = length // 4
        for step in range(8):
            track.controller(tick + waits + step * (length - waits) // 10, 1, (30 + 60 * loud) * step / 7)
        track.controller(tick + length - 30, 1, 0)


def harp():
    track = begin(HARP, *PARTS[HARP])
    for bar, (bass, chord, _) in enumerate(MUSIC[:-1]):
        basses = {at: name for at, _, name in halves(bass)}
        for at, length, names in halves(chord, ";"):
            low, middle, high = (number(name) for name in names.split())
            root = number(basses[at]) + 12
            up = [root, low, middle, high, low + 12, high, middle, low]
            for step, key in enumerate(up[:length // EIGHTH]):
                velocity = (40 if step else 52) + 26 * ARCH[bar] + (4 if step == 4 else 0)
                track.note(bar * BAR + at + step * EIGHTH + (step * 5) % 7, EIGHTH * 2, key, velocity)
    # The end is rolled from below: E minor with its ninth.
    for step, name in enumerate(("e2", "b2", "e3", "g3", "b3", "f#4", "g4", "b4", "e5")):
        track.note((len(MUSIC) - 1) * BAR + 70 * step, BAR, name, 60 - 3 * step)
    return track


def strings():
    """Voices that stay are tied over."""
    track = begin(STRINGS, *PARTS[STRINGS])
    held = {}
    for bar, (_, chord, _) in enumerate(MUSIC):
        for step in range(4):
            later = ARCH[min(bar + 1, len(ARCH) - 1)]
            track.controller(bar * BAR + step * QUARTER, 11, 60 + 60 * (ARCH[bar] + (later - ARCH[bar]) * step / 4))
        for at, _, names in halves(chord, ";"):
            tick = bar * BAR + at
            wanted = {number(name) for name in names.split()} if bar >= 1 else set()
            for key in sorted(set(held) - wanted):
                start = held.pop(key)
                track.note(start, tick - start, key, 66)
            for key in wanted - set(held):
                held[key] = tick
    for key, start in sorted(held.items()):
        track.note(start, END - QUARTER - start, key, 62)
    return track


def bass():
    track = begin(BASS, *PARTS[BASS])
    for bar, (names, _, _) in enumerate(MUSIC):
        if bar < 1:
            continue
        for at, length, name in halves(names):
            track.note(bar * BAR + at, length - 60, name, 62 + 30 * ARCH[bar])
            # An upbeat on the fifth, once the tune has come to its second half.
            if 9 <= bar < 15 and length == BAR:
                track.note(bar * BAR + 3 * QUARTER, QUARTER - 60, number(name) + 7, 50 + 24 * ARCH[bar])
    return track


write(__file__, [conductor(), violin(), harp(), strings(), bass()], END)
