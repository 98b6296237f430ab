#!/usr/bin/env python3
"""Writes octet.mid beside itself: eight parts at once, and an own piece, "Eight on the Quay".

A tune in D minor whose first bar comes again a step lower twice, over fifths that fall: brass answers it; a bridge
in F major lifts it to strings, and everyone plays it once more, to an end that turns to D major.
Drums, bass, electric piano, strings, brass and lead have a channel each, three of them the drums.
"""

from track import QUARTER, Track, begin, number, write

BAR, EIGHTH, SIXTEENTH = 4 * QUARTER, QUARTER // 2, QUARTER // 4
KICK, SNARE, HAT, BASS, KEYS, STRINGS, BRASS, LEAD = range(8)

# Name, factory preset, level (controller 7) and pan of each channel.
PARTS = {
    KICK: ("Kick", 27, 104, 64), SNARE: ("Snare", 86, 97, 66), HAT: ("Hi-hat", 87, 76, 80), BASS: ("Bass", 32, 95, 64),
    KEYS: ("Electric piano", 7, 103, 52), STRINGS: ("Strings", 11, 101, 64), BRASS: ("Brass", 112, 92, 72),
    LEAD: ("Lead", 46, 92, 60)}

# Chords of half a bar or a bar: name, the bass's root and fifth, the right hand from low to high. Each voice moves by a
# step or stays wherever it can.
CHORDS = {
    "Dm9": ("d2", "a2", "f3 a3 c4 e4"), "G13": ("g2", "d3", "f3 a3 b3 e4"), "Cmaj9": ("c3", "g2", "e3 g3 b3 d4"),
    "Fmaj9": ("f2", "c3", "e3 g3 a3 c4"), "Bbmaj9": ("bb2", "f2", "d3 f3 a3 c4"), "Em7b5": ("e2", "bb2", "d3 g3 bb3 d4"),
    "A7b9": ("a2", "e2", "c#3 g3 bb3 e4"), "A7sus": ("a2", "e2", "d3 g3 a3 e4"), "A7": ("a2", "e2", "c#3 g3 a3 e4"),
    "Gm9": ("g2", "d2", "f3 a3 bb3 d4"), "C13": ("c3", "g2", "e3 a3 bb3 d4"), "C9sus": ("c3", "g2", "f3 g3 bb3 d4"),
    "Am7": ("a2", "e2", "e3 g3 c4 e4"), "Dm/F": ("f2", "a2", "f3 a3 d4 e4"), "Dmaj9": ("d2", "a2", "f#3 a3 c#4 e4")}

# Sections: bars of chords, a tune in eighths ("d5/8" is a quarter), and what plays.
THEME = "f5/12 e5/4 d5/8 a4/8 | b4/12 c5/4 d5/16 | e5/12 d5/4 b4/8 g4/8 | a4/8 c5/4 e5/20 | " \
        "d5/12 c5/4 bb4/8 f4/8 | g4/12 a4/4 bb4/8 c#5/8 | "
BRIDGE = "f5/24 a5/8 | g5/24 e5/8 | e5/12 g5/4 c6/16 | a5/24 f5/8 | bb5/12 a5/4 g5/8 d5/8 | e5/8 f5/4 g5/12 a5/8 | " \
         "c6/20 a5/4 g5/8 | bb5/8 g5/8 e5/8 c#5/8"
ROUND = ["Dm9", "G13", "Cmaj9", "Fmaj9", "Bbmaj9", "Em7b5 A7b9"]
SECTIONS = [
    ("begin", ["Dm9", "G13", "Bbmaj9", "A7sus A7"], "r/32 | r/32 | r/32 | r/16 a4/4 c5/4 d5/4 e5/4"),
    ("answered", ROUND + ["Dm9", "Gm9 C13"], THEME + "d5/24 r/8 | r/16 d5/4 e5/4 bb4/4 c5/4"),
    ("bridge", ["Bbmaj9", "C13", "Am7", "Dm9", "Gm9", "C9sus C13", "Fmaj9", "Em7b5 A7b9"], BRIDGE),
    ("all", ROUND + ["Dm/F", "Bbmaj9 A7b9"], THEME + "d5/12 e5/4 f5/8 a5/8 | bb5/12 a5/4 g5/8 c#5/8"),
    ("end", ["Dmaj9", "Dmaj9"], "d5/32 | r/32")]

# Two bars of brass under the tune's long notes, from the second bar of the section: top notes; the rest is the chord's.
STABS = {1: (6, 7, 11), 3: (6, 10, 13), 5: (8, 11), 6: (4, 7, 10, 12), 7: (8, 11, 14)}

END = sum(len(chords) for _, chords, _ in SECTIONS) * BAR


def starts():
    """Each section with the bar it begins at."""
    bar = 0
    for name, chords, tune in SECTIONS:
        yield name, bar, chords, tune
        bar += len(chords)


def chords_of(bars, first):
    """Tick, length and chord of each."""
    for index, words in enumerate(bars):
        names = words.split()
        for turn, name in enumerate(names):
            length = BAR // len(names)
            yield (first + index) * BAR + turn * length, length, CHORDS[name]


def leaning(index):
    """A few ticks late or early, and a little softer or harder, the same each time."""
    return (index * 7919 + 31) % 9 - 4


def conductor():
    track = Track("Eight on the Quay")
    track.add(0, -1, b"\xff\x58\x04\x04\x02\x18\x08")  # 4/4
    track.add(0, -1, b"\xff\x59\x02\xff\x01")  # D minor
    track.tempo(0, 116)
    last = END - 3 * BAR
    for step in range(8):
        track.tempo(last + step * EIGHTH, 116 - 4.5 * step)
    track.tempo(END - 2 * BAR, 80)
    return track


def kick():
    track = begin(KICK, *PARTS[KICK])
    for name, first, chords, _ in starts():
        for bar in range(first, first + len(chords)):
            steps = {"begin": (), "bridge": (0, 10), "end": ()}.get(name, (0, 6, 10) if bar % 2 else (0, 7, 10))
            for step in steps:
                track.note(bar * BAR + step * SIXTEENTH, EIGHTH, 36, 108 if step == 0 else 84 + leaning(bar + step))
    track.note(END - 2 * BAR, QUARTER, 36, 112)
    return track


def snare():
    track = begin(SNARE, *PARTS[SNARE])
    for name, first, chords, _ in starts():
        for index in range(len(chords)):
            tick = (first + index) * BAR
            if name in ("answered", "all"):
                for step, velocity in ((4, 100), (12, 104)) + ((7, 34), (15, 40)):
                    track.note(tick + step * SIXTEENTH + leaning(index + step) // 2, SIXTEENTH, 38, velocity + leaning(step))
            if name == "bridge":
                track.note(tick + 8 * SIXTEENTH, SIXTEENTH, 38, 96)
            # What leads into the next section.
            if index == len(chords) - 1 and name != "end":
                for step, velocity in ((13, 64), (14, 84), (15, 100)):
                    track.note(tick + step * SIXTEENTH, SIXTEENTH, 38 if step < 15 else 41, velocity)
    return track


def hat():
    track = begin(HAT, *PARTS[HAT])
    for name, first, chords, _ in starts():
        if name == "end":
            continue
        for index in range(len(chords)):
            tick = (first + index) * BAR
            if name == "begin" and index < 2:
                continue
            fine = name in ("answered", "all")
            for step in range(0, 16, 1 if fine else 2):
                velocity = 92 if step % 4 == 2 else 70 if step % 2 == 0 else 48
                is_open = step == 14 and index % 4 == 3
                track.note(tick + step * SIXTEENTH + (6 if step % 2 else 0), 2 * EIGHTH if is_open else SIXTEENTH // 2,
                           42, velocity + leaning(index * 16 + step))
    return track


def bass():
    track = begin(BASS, *PARTS[BASS])
    for name, first, chords, _ in starts():
        halves = list(chords_of(chords, first))
        for index, (tick, length, (root, fifth, _)) in enumerate(halves):
            if name == "begin":
                if tick >= 2 * BAR:
                    track.note(tick, length - 20, root, 84)
                continue
            if name == "end":
                if index == 0:
                    track.note(tick, 2 * BAR - QUARTER, root, 96)
                continue
            # A step below or above the next root leads into it, slurred.
            following = halves[index + 1][2][0] if index + 1 < len(halves) else "d2"
            lead_in = number(following) + (-1 if number(following) >= number(root) else 1)
            if length == BAR:
                beats = ((0, 3 * EIGHTH - 30, root, 102), (3 * EIGHTH, EIGHTH - 30, root, 80),
                         (4 * EIGHTH + EIGHTH, EIGHTH, fifth, 92), (6 * EIGHTH, EIGHTH - 20, root, 86),
                         (7 * EIGHTH, EIGHTH + 20, lead_in, 78))
                if name == "bridge":
                    beats = ((0, 5 * EIGHTH - 20, root, 98), (5 * EIGHTH, 2 * EIGHTH - 20, fifth, 84),
                             (7 * EIGHTH, EIGHTH + 20, lead_in, 76))
            else:
                beats = ((0, 2 * EIGHTH - 30, root, 100), (2 * EIGHTH, EIGHTH - 20, fifth, 84),
                         (3 * EIGHTH, EIGHTH + 20, lead_in, 80))
            for offset, held, key, velocity in beats:
                track.note(tick + offset, held, key, velocity + leaning(index + offset // EIGHTH))
    for step in range(12):
        track.controller(END - 2 * BAR + QUARTER + step * EIGHTH, 1, 6 * step)
    track.controller(END - 10, 1, 0)
    return track


def keys():
    track = begin(KEYS, *PARTS[KEYS])
    for name, first, chords, _ in starts():
        for index, (tick, length, (_, _, hand)) in enumerate(chords_of(chords, first)):
            notes = hand.split()
            track.controller(tick, 64, 0)
            track.controller(tick + 40, 64, 127)
            soft = name in ("begin", "bridge")
            if name == "end":
                if index == 0:
                    for step, key in enumerate(["d3"] + notes + ["a4"]):
                        track.note(tick + 26 * step, 6 * QUARTER, key, 82)
                continue
            # The chord, then off the beat once or twice; the top voice sings a little.
            strikes = ((0, 3, 78), (3, 4, 62), (7, 1, 56)) if length == BAR else ((0, 3, 76), (3, 1, 60))
            if soft:
                strikes = ((0, length // EIGHTH, 70),)
            for at, held, velocity in strikes:
                for voice, key in enumerate(notes):
                    late = 10 * voice if soft else leaning(index + voice)
                    track.note(max(0, tick + at * EIGHTH + late), held * EIGHTH - 40, key, velocity + (6 if voice == 3 else 0))
            if soft and length == BAR:
                for step, voice in enumerate((1, 2, 3, 2)):
                    track.note(tick + (4 + step) * EIGHTH, EIGHTH - 20, number(notes[voice]) + 12, 54 + 4 * step)
    track.controller(END - 10, 64, 0)
    return track


def strings():
    """The chord's upper voices, tied where they stay."""
    track = begin(STRINGS, *PARTS[STRINGS])
    held = {}
    for name, first, chords, _ in starts():
        for tick, length, (_, _, hand) in chords_of(chords, first):
            wanted = set()
            if name in ("answered", "bridge", "all", "end"):
                lift = 12 if name in ("bridge", "all", "end") else 0
                wanted = {number(key) + lift for key in hand.split()[1:]}
            for key in [key for key in held if key not in wanted]:
                start = held.pop(key)
                track.note(start, tick - start - 10, key, 74)
            for key in wanted - set(held):
                held[key] = tick
        bars = len(chords) * 4
        for step in range(bars):
            rise = {"bridge": 84 + 40 * step // bars, "all": 112, "end": 112 - 9 * step}.get(name, 92)
            track.controller(first * BAR + step * QUARTER, 11, rise)
    for key, start in sorted(held.items()):
        track.note(start, END - QUARTER - start, key, 74)
    return track


def brass():
    track = begin(BRASS, *PARTS[BRASS])
    for name, first, chords, _ in starts():
        if name not in ("answered", "all"):
            continue
        for tick, length, (_, _, hand) in chords_of(chords, first):
            index = tick // BAR - first
            notes = [number(key) for key in hand.split()]
            for step in STABS.get(index, ()):
                at = index * BAR + first * BAR + step * SIXTEENTH
                if not tick <= at < tick + length:
                    continue
                last = step == STABS[index][-1]
                for key in notes[1:] + [notes[0] + 12]:
                    track.note(at, 3 * SIXTEENTH if last else SIXTEENTH - 10, key, 104 if last else 86)
    # The last chord falls off.
    for key in (number("f#3"), number("a3"), number("c#4"), number("e4")):
        track.note(END - 2 * BAR, 3 * QUARTER, key, 92)
    for step in range(12):
        track.controller(END - 2 * BAR + step * QUARTER // 4, 11, 118 - 7 * step)
    return track


def lead():
    track = begin(LEAD, *PARTS[LEAD])
    for name, first, _, tune in starts():
        for index, line in enumerate(tune.split("|")):
            tick = (first + index) * BAR
            begun = tick
            for word in line.split():
                key, eighths = word.split("/")
                length = int(eighths) * QUARTER // 8
                if key != "r":
                    loud = {"answered": 92, "bridge": 98, "all": 104, "end": 100}.get(name, 80)
                    # Short notes are slurred into the next, which glides.
                    track.note(tick, length + 10 if length < QUARTER else length - 30, key,
                               loud + (8 if tick % BAR == 0 else 0) + leaning(tick // SIXTEENTH))
                    if length >= 2 * QUARTER or length >= 3 * EIGHTH and tick % BAR == 0:
                        for step in range(6):
                            track.controller(tick + length * (step + 2) // 9, 1, 12 * step)
                        track.controller(tick + length - 40, 1, 0)
                tick += length
            assert tick - begun == BAR, line
    return track


tracks = [conductor(), kick(), snare(), hat(), bass(), keys(), strings(), brass(), lead()]
write(__file__, tracks, END)
