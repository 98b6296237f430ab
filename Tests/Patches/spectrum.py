"""Spectra of a sound over time, and a picture of them, drawn by hand: nothing but Python is needed."""

import cmath
import math
import struct
import zlib

SIZE = 2048  # samples in a spectrum
HOP = 960  # samples from one to the next: 20 ms at 48 kHz
LOW, HIGH = 40, 16000  # hertz at the bottom and the top of the picture
ROWS = 384
RANGE = 75  # decibels from the darkest to the brightest

TWIST = {n: [cmath.exp(-2j * math.pi * k / n) for k in range(n // 2)] for n in (1 << b for b in range(1, 11))}
WINDOW = [0.5 - 0.5 * math.cos(2 * math.pi * i / SIZE) for i in range(SIZE)]


def fourier(x):
    n = len(x)
    if n == 2:
        return [x[0] + x[1], x[0] - x[1]]
    even, odd = fourier(x[::2]), [a * b for a, b in zip(fourier(x[1::2]), TWIST[n])]
    return [a + b for a, b in zip(even, odd)] + [a - b for a, b in zip(even, odd)]


def spectrum(samples):
    """The power of each bin below half the sample rate; a sine of full level has 1."""
    w = [a * b for a, b in zip(samples, WINDOW)]
    half = SIZE // 2
    # Two real samples as one complex one: half the work.
    z = fourier([complex(a, b) for a, b in zip(w[::2], w[1::2])])
    powers, unit = [], (4 / SIZE) ** 2
    for k in range(half):
        one, other = z[k], z[-k].conjugate()
        x = (one + other) / 2 - 0.5j * cmath.exp(-2j * math.pi * k / SIZE) * (one - other)
        powers.append(unit * (x.real * x.real + x.imag * x.imag))
    return powers


def spectra(samples):
    return [spectrum(samples[i:i + SIZE]) for i in range(0, len(samples) - SIZE, HOP)]


def centroid(rows, rate):
    """The middle of all that sounds, in hertz, by amplitude."""
    sums = [sum(math.sqrt(row[k]) for row in rows) for k in range(1, SIZE // 2)]
    return sum((k + 1) * s for k, s in enumerate(sums)) / max(sum(sums), 1e-12) * rate / SIZE


def color(level):
    """From black over blue, violet and orange to a pale yellow, for a level of 0...1; each step looks as bright as the
    one before."""
    stops = [(0, 0, 8), (28, 16, 84), (104, 22, 122), (178, 44, 100), (232, 96, 52), (252, 170, 44), (255, 246, 190)]
    place = max(0.0, min(level, 0.9999)) * (len(stops) - 1)
    i = int(place)
    return bytes(round(a + (b - a) * (place - i)) for a, b in zip(stops[i], stops[i + 1]))


def picture(rows, rate):
    """A PNG: time to the right, frequency upward by octaves. Dots stand at each second, and at 100 Hz, 1 and 10 kHz."""
    width, ramp = len(rows), [color(i / 255) for i in range(256)]
    marks = {round((math.log(hertz / LOW) / math.log(HIGH / LOW)) * ROWS) for hertz in (100, 1000, 10000)}
    top = max(max(row) for row in rows)
    lines = []
    for y in reversed(range(ROWS)):
        low, high = ((LOW * (HIGH / LOW) ** ((y + d) / ROWS)) * SIZE / rate for d in (0, 1))
        first, last = math.floor(low), math.ceil(high)
        line = bytearray(b"\0")  # no filter
        for x, row in enumerate(rows):
            if last - first <= 2:
                # Between two bins.
                share = low - first
                power = row[first] ** (1 - share) * row[first + 1] ** share if row[first] > 0 else 0
            else:
                power = max(row[first:last])
            level = 1 + 10 * math.log10(max(power / top, 1e-12)) / RANGE
            is_mark = y in marks and x % 4 == 0 or x % (rate // HOP) == 0 and y % 4 == 0
            line += b"\x90\x90\x90" if is_mark else ramp[max(0, min(255, round(255 * level)))]
        lines.append(bytes(line))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, ROWS, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(lines))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
