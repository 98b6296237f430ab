#!/usr/bin/env python3
"""Writes canon.mid beside itself: the beginning of Johann Pachelbel's Canon in D (about 1690).

Three violins play the same music, each two bars after the one before, over a ground bass of eight notes.
All that the score leaves to the players is kept apart from the notes: the chords of the continuo, the bowing
(velocity and expression), the vibrato (wheel), the slide into the last note (bend) and the ritardando.
"""

from track import QUARTER, Track, write

GROUND = 8 * QUARTER  # two bars, once through the bass
VIOLINS, CHORDS, BASS = (0, 1, 2), 3, 4  # MIDI channels

# name and length in eighths of a quarter: "d5/8" is a quarter, "d5/4" an eighth, "d5/1" a thirty-second.
BASS_LINE = "d3/8 a2/8 b2/8 f#2/8 g2/8 d2/8 g2/8 a2/8"

VARIATIONS = [
    "f#5/8 e5/8 d5/8 c#5/8 b4/8 a4/8 b4/8 c#5/8",
    "d5/8 c#5/8 b4/8 a4/8 g4/8 f#4/8 g4/8 e4/8",
    "d4/4 f#4/4 a4/4 g4/4 f#4/4 d4/4 f#4/4 e4/4 d4/4 b3/4 d4/4 a4/4 g4/4 b4/4 a4/4 g4/4",
    "f#4/4 d4/4 e4/4 c#5/4 d5/4 f#5/4 a5/4 a4/4 b4/4 g4/4 a4/4 f#4/4 d4/4 d5/4 d5/6 c#5/2",
    "d5/2 c#5/2 d5/2 d4/2 c#4/2 a4/2 e4/2 f#4/2 d4/2 d5/2 c#5/2 b4/2 c#5/2 f#5/2 a5/2 b5/2 "
    "g5/2 f#5/2 e5/2 g5/2 f#5/2 e5/2 d5/2 c#5/2 b4/2 a4/2 g4/2 f#4/2 e4/2 g4/2 f#4/2 e4/2",
    "d4/2 e4/2 f#4/2 g4/2 a4/2 e4/2 a4/2 g4/2 f#4/2 b4/2 a4/2 g4/2 a4/2 g4/2 f#4/2 e4/2 "
    "d4/2 b3/2 b4/2 c#5/2 d5/2 c#5/2 b4/2 a4/2 g4/2 f#4/2 e4/2 b4/2 a4/2 b4/2 a4/2 g4/2",
    "f#4/4 f#5/4 e5/8 r/4 d5/4 f#5/8 b5/8 a5/8 b5/8 c#6/8",
    "d6/4 d5/4 c#5/8 r/4 b4/4 d5/8 d5/12 d5/4 d5/4 g5/4 e5/4 a5/4",
    "a5/2 f#5/1 g5/1 a5/2 f#5/1 g5/1 a5/1 a4/1 b4/1 c#5/1 d5/1 e5/1 f#5/1 g5/1 "
    "f#5/2 d5/1 e5/1 f#5/2 f#4/1 g4/1 a4/1 b4/1 a4/1 g4/1 a4/1 f#4/1 g4/1 a4/1 "
    "g4/2 b4/1 a4/1 g4/2 f#4/1 e4/1 f#4/1 e4/1 d4/1 e4/1 f#4/1 g4/1 a4/1 b4/1 "
    "g4/2 b4/1 a4/1 b4/2 c#5/1 d5/1 a4/1 b4/1 c#5/1 d5/1 e5/1 f#5/1 g5/1 a5/1",
]
# The three violins end on one chord, whichever variation they have come to.
LAST = ["f#5", "a5", "d6"]

# The continuo over the ground, from low to high; it moves against the bass where that rises by a step.
CONTINUO = ["d4 f#4 a4", "c#4 e4 a4", "b3 d4 f#4", "a3 c#4 f#4", "g3 b3 d4", "f#3 a3 d4", "g3 b3 d4", "e3 a3 c#4"]

TURNS = 1 + len(VARIATIONS)  # the ground alone, then until the first violin has played everything
END = TURNS * GROUND  # where the last chord begins
LAST_LENGTH = 6 * QUARTER

# Factory presets: strings, soft lead, pluck and warm bass.
PROGRAMS = {0: 11, 1: 4, 2: 11, 3: 8, 4: 1}
# The strings speak slower than this music moves: their attack (controller 73) and release (72) are shortened.
ATTACK, RELEASE = {0: 46, 2: 46}, {0: 60, 2: 60}
PANS = {0: 32, 1: 96, 2: 64, 3: 80, 4: 60}
LEVELS = {0: 114, 1: 112, 2: 115, 3: 108, 4: 105}


def begin(name, channel):
    track = Track(name, channel)
    track.controller(0, 0, 0)
    track.program(0, PROGRAMS[channel])
    track.controller(0, 7, LEVELS[channel])
    track.controller(0, 10, PANS[channel])
    for controller, values in ((73, ATTACK), (72, RELEASE)):
        if channel in values:
            track.controller(0, controller, values[channel])
    return track


def play(track, start, line, accent=0):
    """Plays a line of names and lengths, a little detached; long notes swell into a vibrato."""
    tick = start
    for word in line.split():
        name, eighths = word.split("/")
        length = int(eighths) * QUARTER // 8
        if name != "r":
            on_beat = (tick - start) % QUARTER == 0
            track.note(tick, length * 15 // 16, name, 78 + accent + (12 if on_beat else 0))
            if length >= QUARTER and track.channel in VIOLINS:
                for step, wheel in enumerate((0, 24, 56, 72)):
                    track.controller(tick + step * length // 5, 1, wheel)
                track.controller(tick + length * 15 // 16, 1, 0)
        tick += length
    assert tick - start == GROUND, line


def conductor():
    track = Track("Canon in D")
    track.add(0, -1, b"\xff\x58\x04\x04\x02\x18\x08")  # 4/4
    track.add(0, -1, b"\xff\x59\x02\x02\x00")  # D major
    track.tempo(0, 63)
    # A ritardando over the last three notes of the ground.
    for step in range(12):
        track.tempo(END - 3 * QUARTER + step * QUARTER // 4, 63 - 2.2 * (step + 1))
    return track


def violin(index):
    track = begin(f"Violin {index + 1}", VIOLINS[index])
    for turn, line in enumerate(VARIATIONS):
        start = (1 + index + turn) * GROUND
        if start >= END:
            break
        # Each entry begins softly and has grown by the time the next violin comes in.
        for step in range(8):
            value = 92 + 4 * step if turn == 0 else 112 + (6 if step in (3, 4) else 0)
            track.controller(start + step * QUARTER, 11, value)
        play(track, start, line)
    # A slide of a quarter tone into the last note, which dies away.
    for step in range(9):
        track.bend(END + step * 20, -2048 * (8 - step) / 8)
    track.note(END, LAST_LENGTH - QUARTER, LAST[index], 88)
    for step in range(20):
        track.controller(END + step * QUARTER // 4, 11, 118 - 4 * step)
        track.controller(END + step * QUARTER // 4, 1, min(64, 8 * step))
    track.controller(END + LAST_LENGTH, 1, 0)
    return track


def continuo():
    track = begin("Continuo", CHORDS)
    for turn in range(TURNS):
        for beat, chord in enumerate(CONTINUO):
            tick = turn * GROUND + beat * QUARTER
            low, middle, high = chord.split()
            # The pedal is caught just after each chord has come.
            track.controller(tick, 64, 0)
            track.controller(tick + 30, 64, 127)
            for step, name in enumerate((low, middle, high, middle)):
                track.note(tick + step * QUARTER // 4, QUARTER // 4 - 10, name, 70 if step == 0 else 54)
    track.controller(END, 64, 0)
    track.controller(END + 30, 64, 127)
    for step, name in enumerate(("d3", "a3", "d4", "f#4", "a4", "d5")):
        track.note(END + 40 * step, 4 * QUARTER, name, 72)
    track.controller(END + LAST_LENGTH - 10, 64, 0)
    return track


def bass():
    track = begin("Ground bass", BASS)
    for turn in range(TURNS):
        play(track, turn * GROUND, BASS_LINE, accent=-2)
    track.note(END, LAST_LENGTH - QUARTER, "d2", 88)
    return track


tracks = [conductor()] + [violin(index) for index in range(3)] + [continuo(), bass()]
write(__file__, tracks, END + LAST_LENGTH)
