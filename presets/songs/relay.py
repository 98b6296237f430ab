#!/usr/bin/env python3
"""Writes relay.mid beside itself: a sequence with recalls under held notes, and an own piece, "Relay".

One part plays a chord and, while it is held, takes another sound for the sequence above it, and in the next bar another
again: each key keeps the sound that it was struck with. The chords go by eight, twice; bass and drums join on the way.
"""

from track import QUARTER, Track, begin, number, write

BAR, EIGHTH, SIXTEENTH = 4 * QUARTER, QUARTER // 2, QUARTER // 4
PLAYER, BASS, KICK, HAT = range(4)
# Name, first factory preset, level and pan.
PARTS = {PLAYER: ("Recalls", 5, 104, 64), BASS: ("Bass", 1, 104, 64), KICK: ("Kick", 27, 106, 64),
         HAT: ("Hi-hat", 87, 84, 74)}

# Two bars each: the bass, the held chord with each voice going to its nearest place, what the sequence takes its keys
# from, and the presets: of the chord, and of the sequence in either bar.
STEPS = [
    ("a1", "c4 e4 g4 b4", "a4 b4 c5 e5 g5", 53, (8, 84)),
    ("f1", "c4 e4 g4 a4", "a4 c5 e5 f5 g5", 56, (81, 7)),
    ("c2", "b3 d4 e4 g4", "g4 b4 d5 e5 g5", 5, (79, 73)),
    ("g1", "b3 d4 e4 a4", "a4 b4 d5 e5 g5", 64, (82, 21)),
    ("d2", "a3 c4 e4 f4", "a4 c5 d5 e5 f5", 54, (80, 12)),
    ("e1", "b3 d4 e4 g4", "g4 b4 d5 e5 b5", 57, (14, 71)),
    ("f1", "a3 c4 e4 g4", "g4 a4 c5 e5 a5", 60, (25, 70)),
    ("g1", "a3 c4 d4 f4", "g4 a4 c5 d5 f5", 59, (22, 84)),
    ("a1", "c4 e4 g4 b4", "b4 c5 e5 g5 b5", 61, (21, 8)),
    ("f1", "c4 e4 g4 a4", "c5 e5 g5 a5 c6", 55, (83, 73)),
    ("c2", "b3 d4 e4 g4", "b4 d5 e5 g5 b5", 58, (7, 78)),
    ("g1", "b3 d4 e4 a4", "b4 d5 e5 a5 b5", 64, (85, 72)),
    ("d2", "a3 c4 e4 f4", "a4 c5 e5 f5 a5", 53, (8, 69)),
    ("e1", "b3 d4 e4 g4", "b4 d5 e5 g5 d6", 17, (25, 71)),
    ("f1", "a3 c4 e4 g4", "a4 c5 e5 g5 c6", 5, (79, 81)),
    ("g1", "a3 c4 d4 f4", "g4 c5 d5 f5 a5", 28, (82, 128)),
]
# Octaves that the toy piano, the celesta, the xylophone and the pad of fifths play higher than the others.
OCTAVES = {70: 1, 71: 1, 83: 1, 58: -1}
# Which of the five keys each sixteenth takes: threes against the beat, and its answer a bar later.
FIGURES = ((0, 2, 3, 1, 2, 4, 2, 3, 1, 2, 4, 3, 0, 2, 3, 2), (4, 2, 3, 1, 2, 0, 2, 3, 1, 4, 3, 2, 0, 1, 2, 3))
LAST = len(STEPS) * 2 * BAR
END = LAST + 3 * BAR


def conductor():
    track = Track("Relay")
    track.add(0, -1, b"\xff\x58\x04\x04\x02\x18\x08")  # 4/4
    track.add(0, -1, b"\xff\x59\x02\x00\x01")  # A minor
    track.tempo(0, 135)
    return track


def player():
    track = begin(PLAYER, *PARTS[PLAYER])
    for index, (_, chord, keys, held, runs) in enumerate(STEPS):
        tick = index * 2 * BAR
        rise = index / (len(STEPS) - 1)
        # The chord comes with its sound, and a sixteenth later the part has another one.
        track.program(tick, held)
        for key in chord.split():
            track.note(tick, 2 * BAR - SIXTEENTH, number(key) + 12 * OCTAVES.get(held, 0), 66 + 14 * rise)
        for bar, run in enumerate(runs):
            first = tick + bar * BAR
            track.program(first + (SIXTEENTH // 2 if bar == 0 else -SIXTEENTH // 2), run)
            for step, key in enumerate(FIGURES[bar]):
                # Threes are accented, a swell goes through both bars, and the first sixteenth is the chord's.
                if bar == 0 and step == 0:
                    continue
                accent = 18 if step in (3, 6, 9, 12) or step == 0 else 0
                swell = 10 * (1 - abs(bar * 16 + step - 16) / 16)
                key = number(keys.split()[key]) + 12 * OCTAVES.get(run, 0)
                track.note(first + step * SIXTEENTH, SIXTEENTH - 14, key, 62 + accent + swell + 8 * rise)
    # All ends on A minor with its ninth, in the sound that the piece began with, and bells above it.
    track.program(LAST, 53)
    for key in ("a3", "c4", "e4", "g4", "b4"):
        track.note(LAST, 5 * BAR // 2, key, 76)
    track.program(LAST + SIXTEENTH // 2, 12)
    for step, key in enumerate(("e5", "g5", "b5", "e6", "b5", "c6", "a5", "e5")):
        track.note(LAST + EIGHTH + step * QUARTER, QUARTER, key, 78 - 5 * step)
    return track


def bass():
    track = begin(BASS, *PARTS[BASS])
    for index, (root, *_) in enumerate(STEPS):
        if index < 2:
            continue
        key = number(root)
        for bar in range(2):
            tick = (index * 2 + bar) * BAR
            if index < 6:
                # Long notes at first.
                track.note(tick, 3 * QUARTER, key, 90)
                track.note(tick + 3 * QUARTER + EIGHTH, EIGHTH - 20, key + 12, 76)
                continue
            for step, up, held, velocity in ((0, 0, 3, 104), (3, 0, 2, 84), (6, 12, 2, 96), (8, 0, 2, 88), (11, 7, 1, 80),
                                             (12, 0, 2, 92), (14, 12, 1, 86)):
                track.note(tick + step * SIXTEENTH, held * SIXTEENTH - 16, key + up, velocity)
    track.note(LAST, 2 * BAR, "a1", 92)
    return track


def kick():
    track = begin(KICK, *PARTS[KICK])
    for bar in range(8, len(STEPS) * 2):
        for beat in range(4):
            track.note(bar * BAR + beat * QUARTER, EIGHTH, 36, 106 if beat == 0 else 96)
        if bar % 4 == 3:
            track.note(bar * BAR + 15 * SIXTEENTH, SIXTEENTH, 36, 74)
    track.note(LAST, EIGHTH, 36, 108)
    return track


def hat():
    track = begin(HAT, *PARTS[HAT])
    for bar in range(12, len(STEPS) * 2):
        for step in range(16):
            if step % 4 == 2:
                track.note(bar * BAR + step * SIXTEENTH, EIGHTH, 42, 92)
            elif bar >= 20 and step % 4:
                track.note(bar * BAR + step * SIXTEENTH + 5, SIXTEENTH // 2, 42, 52 + (8 if step == 15 else 0))
    return track


write(__file__, [conductor(), player(), bass(), kick(), hat()], END)
