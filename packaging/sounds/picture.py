"""A spectrogram as a PNG, without a library for drawing."""

import struct
import zlib

import numpy as np

from sounds.measure import RATE, SIZE, decibels, spectra

LOW, HIGH, ROWS, COLUMNS, RANGE = 40, 16_000, 200, 640, 75

# From black over blue, violet and orange to a pale yellow: each step appears as bright as the one before.
STOPS = np.array([(0, 0, 8), (28, 16, 84), (104, 22, 122), (178, 44, 100), (232, 96, 52), (252, 170, 44), (255, 246, 190)])


def png(pixels):
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")


def spectrogram(left, right):
    """Time from left to right, frequency upward in octaves; lines at 100 Hz, 1 and 10 kHz."""
    samples = (left + right) / 2
    power = spectra(samples, SIZE, max(SIZE // 4, len(samples) // COLUMNS))
    edges = LOW * (HIGH / LOW) ** (np.arange(ROWS + 1) / ROWS) * SIZE / RATE
    levels = np.empty((ROWS, len(power)))
    for row, (low, high) in enumerate(zip(edges, edges[1:])):
        first, last = int(low), int(np.ceil(high))
        if last - first <= 2:
            share = low - first
            levels[row] = decibels(power[:, first]) * (1 - share) + decibels(power[:, first + 1]) * share
        else:
            levels[row] = decibels(power[:, first:last].max(axis=1))
    place = np.clip(1 + (levels - levels.max()) / RANGE, 0, 0.9999) * (len(STOPS) - 1)
    index = place.astype(int)
    share = (place - index)[..., None]
    pixels = STOPS[index] * (1 - share) + STOPS[index + 1] * share
    for hertz in (100, 1_000, 10_000):
        row = round(np.log(hertz / LOW) / np.log(HIGH / LOW) * ROWS)
        pixels[row, ::6] = pixels[row, ::6] * 0.6 + 80
    return png(np.ascontiguousarray(pixels[::-1].astype(np.uint8)))
