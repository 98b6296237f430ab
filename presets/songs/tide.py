#!/usr/bin/env python3
"""Writes tide.mid beside itself: a backing for arpeggios, and an own piece, "Tide".

Drums, bass and a pad go round eight bars in A minor three times, and the song leads the beat: keys that are held on a part
with an arpeggiator are in its time. The tempo is 112, eases to 104 for the second round and comes back, and the last bar
slows down; what follows the beat goes along. With /song/loop 1 it goes round for ever.
"""

from track import QUARTER, Track, begin, number, write

BAR, EIGHTH, SIXTEENTH = 4 * QUARTER, QUARTER // 2, QUARTER // 4
KICK, SNARE, HAT, BASS, PAD = range(1, 6)
# Name, first factory preset, level and pan. Channel 1 is left for the player.
PARTS = {KICK: ("Kick", 27, 104, 64), SNARE: ("Snare", 86, 90, 66), HAT: ("Hi-hat", 87, 78, 78),
         BASS: ("Bass", 29, 98, 64), PAD: ("Pad", 53, 92, 64)}

# A bar each: the bass, and the pad with each voice going to its nearest place.
CHORDS = [("a1", "a3 c4 e4 g4"), ("a1", "a3 c4 e4 g4"), ("f1", "a3 c4 e4 f4"), ("f1", "g3 c4 e4 f4"),
          ("c2", "g3 c4 d4 e4"), ("c2", "g3 b3 d4 e4"), ("g1", "g3 b3 d4 f4"), ("e1", "g#3 b3 d4 e4")]
ROUNDS = 3
END = ROUNDS * len(CHORDS) * BAR


def bars():
    """Each bar with its round and its chord."""
    for index in range(ROUNDS * len(CHORDS)):
        yield index * BAR, index // len(CHORDS), index % len(CHORDS)


def conductor():
    track = Track("Tide")
    track.add(0, -1, b"\xff\x58\x04\x04\x02\x18\x08")  # 4/4
    track.add(0, -1, b"\xff\x59\x02\x00\x01")  # A minor
    track.tempo(0, 112)
    for step in range(4):
        track.tempo(8 * BAR - BAR + step * QUARTER, 110 - 2 * step)
        track.tempo(16 * BAR - BAR + step * QUARTER, 106 + 2 * step)
    for step in range(8):
        track.tempo(END - BAR + step * EIGHTH, 110 - 3 * step)
    return track


def kick():
    track = begin(KICK, *PARTS[KICK])
    for tick, turn, bar in bars():
        for beat in range(4) if turn != 1 else (0, 2):
            track.note(tick + beat * QUARTER, EIGHTH, 36, 106 if beat == 0 else 94)
        if bar % 4 == 3:
            track.note(tick + 15 * SIXTEENTH, SIXTEENTH, 36, 72)
    return track


def snare():
    track = begin(SNARE, *PARTS[SNARE])
    for tick, turn, bar in bars():
        if turn == 0 and bar < 4:
            continue
        for beat in (1, 3):
            track.note(tick + beat * QUARTER, EIGHTH, 38, 92)
        if bar == 7:
            for step, velocity in ((13, 54), (14, 66), (15, 80)):
                track.note(tick + step * SIXTEENTH, SIXTEENTH, 38, velocity)
    return track


def hat():
    track = begin(HAT, *PARTS[HAT])
    for tick, turn, bar in bars():
        for step in range(0, 16, 2 if turn != 2 else 1):
            track.note(tick + step * SIXTEENTH, SIXTEENTH // 2, 42, 86 if step % 4 == 2 else 60)
    return track


def bass():
    track = begin(BASS, *PARTS[BASS])
    figure = ((0, 0, 3, 104), (3, 0, 2, 82), (6, 12, 2, 92), (8, 0, 3, 96), (11, 7, 1, 78), (14, 12, 2, 84))
    for tick, turn, bar in bars():
        key = number(CHORDS[bar][0])
        if turn == 1:
            track.note(tick, 3 * QUARTER, key, 92)
            track.note(tick + 7 * EIGHTH, EIGHTH - 20, key + 12, 74)
            continue
        for step, up, held, velocity in figure:
            track.note(tick + step * SIXTEENTH, held * SIXTEENTH - 16, key + up, velocity)
    return track


def pad():
    track = begin(PAD, *PARTS[PAD])
    for tick, turn, bar in bars():
        for key in CHORDS[bar][1].split():
            track.note(tick, BAR - SIXTEENTH, key, 60 + 6 * turn)
    return track


write(__file__, [conductor(), kick(), snare(), hat(), bass(), pad()], END)
