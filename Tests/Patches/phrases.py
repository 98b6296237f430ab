"""A phrase for each patch, and the MIDI file that it is played from.

Notes are written "start length keys velocity" in beats, as "0 1 c4+e4+g4 90"; between them stand "start controller n
value", "start bend value" (semitones of two) and "start pressure value". A ramp is "start-end controller n a-b".
"""

import re
import struct

BEAT = 480  # ticks

# What every factory preset is compared with, at 120 beats a minute.
OF_THE_BANK = {
    "held": "0 3 c3 100",
    "let go": "0 0.5 a2+a3 90; 1 0.5 e4 110",
    "struck again": "0 0.6 c4 100; 0.8 0.8 c4 100",
}

SUPER_SAW = """
    0 0.7 f3+c4+f4+a4+c5 100; 0.75 0.7 f3+c4+f4+a4+c5 84; 1.5 0.45 g3+d4+g4+b4+d5 100; 2 1.9 a3+c4+e4+a4+e5 106
    4 0.7 f3+c4+f4+a4+c5 100; 4.75 0.7 f3+c4+f4+a4+c5 84; 5.5 0.45 g3+d4+g4+b4+d5 100; 6 4 c4+e4+g4+c5+g5 110
    8-10 controller 1 0-90
"""
SYNC_LEAD = """
    0 1.4 a3 118; 1.5 0.45 c4 90; 2 1.8 e4 120; 4 0.9 d4 100; 5 0.9 c4 70; 6 2 g4 124; 7.9 3.5 a4 110
    8.5-11 controller 1 0-80; 9-9.5 pressure 0-127; 9.5-10.5 pressure 127-0
"""
PULSE_STRINGS = """
    0 3.9 d3+a3+f4+c5 80; 4 3.9 a#2+f3+d4+a4 84; 8 4 c3+g3+e4+b4 90; 8-11 controller 1 0-60
"""
# Sixteenths; a long one slides into the next. Hard keys are the accents.
ACID_BASS = """
    0 0.15 a1 70; 0.25 0.15 a1 70; 0.5 0.3 a2 124; 0.75 0.15 a1 70; 1 0.15 c2 80; 1.25 0.3 a1 118; 1.5 0.15 g2 90
    1.75 0.15 a1 70; 2 0.3 a1 80; 2.25 0.3 e2 127; 2.5 0.15 a2 90; 2.75 0.15 a1 70; 3 0.15 d2 80; 3.25 0.3 a1 80
    3.5 0.3 a#2 126; 3.75 0.15 a1 80; 4 0.15 a1 70; 4.25 0.15 a1 70; 4.5 0.3 a2 124; 4.75 0.15 a1 70; 5 0.15 c2 80
    5.25 0.3 a1 118; 5.5 0.15 g2 90; 5.75 0.15 a1 70; 6 0.3 a1 80; 6.25 0.3 e2 127; 6.5 0.3 a2 90; 6.75 0.15 a3 124
    7 0.15 d2 80; 7.25 0.3 a1 80; 7.5 0.3 g1 126; 7.75 3.4 a1 127; 8.2-9.6 controller 74 50-98
    9.6-11 controller 74 98-40
"""
PHASE_PIANO = """
    0 1.8 d3+c4+f4+a4 58; 1.5 0.4 e5 70; 2 1.9 g2+b3+f4+a4 84; 3.5 0.4 d5 90; 4 1.9 c3+b3+e4+g4 112; 5 0.4 b4 80
    5.5 0.4 g4 70; 6 2.9 a2+g3+c4+e4 122; 7 0.9 e5 120; 8 0.9 a5 110; 6-9 controller 1 0-110
"""
RING_BELL = """
    0 0.5 c5 110; 1 0.5 g4 90; 1.5 0.5 e5 80; 2.5 0.5 d5 100; 3.5 0.5 g4 96; 4 0.5 a4 70; 5 1 c4+g5 120; 7 2 c3 120
"""
LADDER_BASS = """
    0 0.9 e1 110; 1 0.4 e2 90; 1.5 0.45 d2 100; 2 0.9 g1 112; 3 0.5 a1 90; 3.45 0.5 b1 90; 4 0.4 e1 118; 4.5 0.4 e2 96
    5 0.4 g2 110; 5.5 0.4 b2 100; 6 0.5 a1 100; 6.45 0.5 g1 90; 7 2 e1 124; 7.4-9 controller 1 0-110
"""
PERCUSSIVE_ORGAN = """
    0 0.3 c4+d#4+g4 90; 0.5 0.2 a#4 90; 0.75 0.2 c5 90; 1 0.3 d#5 90; 1.5 0.2 c5 90; 2 0.3 c4+f4+a4 90; 2.5 0.2 d#5 90
    2.75 0.2 f5 90; 3 0.3 f#5 90; 3.5 0.2 g5 90; 4 0.4 c4+d#4+a#4 90; 4.5 0.2 g5 90; 4.75 0.2 d#5 90
    5 5 c3+a#3+d#4+g4 90; 6.5 3.4 c5 90; 6-7 controller 1 0-127
"""
BAND_PASS_POLY = """
    0 0.7 e3+b3+g4 100; 1 0.4 d5 90; 1.5 0.4 b4 80; 2 0.7 c3+g3+e4 104; 3 0.4 b4 90; 3.5 0.4 a4 84
    4 3.8 a2+e3+c4+g4+b4 112; 8 2 e2+e3+b3+g4 120
"""
WHISTLE = """
    0 1 e4 90; 0.97 0.5 g4 90; 1.45 2 a4 100; 4 0.5 c5 90; 4.45 0.5 b4 90; 4.93 0.6 a4 90; 5.5 2.4 e5 110
    6-7.5 controller 1 0-100; 7.4-7.9 bend 0--2
"""
KICK_DRUM = """
    0 0.2 c2 120; 0.75 0.1 c2 70; 1.5 0.2 c2 110; 2 0.2 c2 124; 3.5 0.2 c2 90; 3.75 0.2 c2 110; 4 0.2 c2 127
    6 0.2 g1 127; 7 0.2 c2 60; 7.5 0.2 a#1 100
"""
EVOLVING_PAD = """
    0 9 c3+g3 84; 0 9 d#4 74; 1 8 a#4 78; 5 7 f3 80; 5 7 g4+d5 74; 8-11 controller 1 0-50
"""

# By program and file: the tempo, the phrase, and what makes it that sound.
PATCHES = {
    (17, "super-saw"): (
        128, SUPER_SAW, "seven saws and seven an octave above, unevenly detuned, at random phases"),
    (18, "sync-lead"): (
        108, SYNC_LEAD, "hard sync; the third envelope draws the slave's pitch down, a formant falls"),
    (19, "pulse-strings"): (
        96, PULSE_STRINGS, "the width of a pulse moved by a slow LFO, a slot of the matrix; high-pass"),
    (20, "acid-bass"): (
        126, ACID_BASS, "legato slides, resonance 80 % behind a drive, short envelope, accents by velocity"),
    (21, "phase-piano"): (
        84, PHASE_PIANO, "sine moved in phase by one 14 times as high, the tine, and by itself, the bark; a filter lets go"),
    (22, "ring-bell"): (
        100, RING_BELL, "product of two oscillators 3.76 apart: partials of a bar, beating"),
    (23, "ladder-bass"): (
        104, LADDER_BASS, "two saws and a square below, driven into 24 dB; lowest key, slurs strike nothing"),
    (24, "percussive-organ"): (
        112, PERCUSSIVE_ORGAN, "sines as drawbars, a third harmonic that dies away, a rotor on the wheel"),
    (25, "band-pass-poly"): (
        104, BAND_PASS_POLY, "12 dB band-pass drawn across saw and pulse by its envelope"),
    (26, "whistle"): (
        92, WHISTLE, "no oscillator: the filter rings by itself, in tune, bent and shaken by its cutoff"),
    (27, "kick-drum"): (
        100, KICK_DRUM, "a sine whose pitch falls two octaves in a blink, and a click of noise"),
    (28, "evolving-pad"): (
        80, EVOLVING_PAD, "eight slots: smooth random LFOs, each note its own, on cutoff, width and mode"),
}


def key(name):
    match = re.fullmatch(r"([a-g]#?)(\d)", name)
    return 12 * (int(match[2]) + 1) + "c c# d d# e f f# g g# a a# b".split().index(match[1])


def quantity(value):
    out = [value & 0x7F]
    while value := value >> 7:
        out.append(0x80 | value & 0x7F)
    return bytes(reversed(out))


def hand(kind, number, value):
    """What a wheel or a pressure sends."""
    if kind == "bend":
        place = max(0, min(16383, round(8192 * (1 + value / 2))))
        return bytes([0xE0, place & 0x7F, place >> 7])
    return bytes([0xD0, round(value)]) if kind == "pressure" else bytes([0xB0, int(number), round(value)])


def events(text):
    """What is played, as (beat, order, bytes)."""
    for line in filter(None, (part.strip() for part in re.split(r"[;\n]", text))):
        if match := re.fullmatch(r"([\d.]+)-([\d.]+) (bend|pressure|controller) ?(\d*) (\d+)-(-?\d+)", line):
            start, end, a, b = (float(match[i]) for i in (1, 2, 5, 6))
            for step in range(41):
                yield start + (end - start) * step / 40, 1, hand(match[3], match[4], a + (b - a) * step / 40)
        else:
            start, length, keys, velocity = line.split()
            for name in keys.split("+"):
                yield float(start), 2, bytes([0x90, key(name), int(velocity)])
                yield float(start) + float(length), 0, bytes([0x80, key(name), 64])


def song(program, tempo, phrase):
    """The MIDI file of a phrase on a factory preset, numbered from 1."""
    data = b"\0\xff\x01\x05pipit"  # its programs are those of pipit's banks
    data += b"\0\xff\x51\x03" + struct.pack(">I", round(60_000_000 / tempo))[1:]
    bank, number = (0, program - 1) if program <= 128 else (126, program - 129)
    data += bytes([0, 0xB0, 0, bank, 0, 0xC0, number])
    before = 0
    for beat, _, event in sorted(events(phrase), key=lambda e: e[:2]):
        tick = round(beat * BEAT)
        data += quantity(tick - before) + event
        before = tick
    data += b"\0\xff\x2f\0"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, BEAT) + b"MTrk" + struct.pack(">I", len(data)) + data
