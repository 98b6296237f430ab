"""A WAV of 16 bits in two channels, and how loud it is."""

import array
import math
import sys
import wave


def read(path):
    """The sample rate, and both channels, -1...1."""
    with wave.open(str(path)) as file:
        if (file.getnchannels(), file.getsampwidth()) != (2, 2):
            raise SystemExit(f"{path} is not of two channels and 16 bits")
        rate, samples = file.getframerate(), array.array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return rate, [s / 32768 for s in samples[::2]], [s / 32768 for s in samples[1::2]]


def peak(left, right):
    """Decibels of full scale."""
    return 20 * math.log10(max(1e-6, *map(abs, left), *map(abs, right)))


def weighted(samples, rate):
    """The sums of squares of each 100 ms, K-weighted as ITU-R BS.1770 has it, at 48 kHz."""
    if rate != 48000:
        raise SystemExit("loudness is measured at 48 kHz")
    sums, total, left = [], 0.0, rate // 10
    a = b = c = d = 0.0
    for x in samples:
        # The shelf of a head, and a low cut.
        y = 1.53512485958697 * x + a
        a = -2.69169618940638 * x + 1.69065929318241 * y + b
        b = 1.19839281085285 * x - 0.73248077421585 * y
        z = y + c
        c = -2 * y + 1.99004745483398 * z + d
        d = y - 0.99007225036621 * z
        total += z * z
        left -= 1
        if left == 0:
            sums.append(total)
            total, left = 0.0, rate // 10
    return sums


def loudness(left, right, rate):
    """Of the whole, in LUFS: the mean of all 400 ms that are no more than 10 dB below that of all."""
    powers = [(a + b) / (rate // 10) for a, b in zip(weighted(left, rate), weighted(right, rate))]
    blocks = [sum(powers[i:i + 4]) / 4 for i in range(len(powers) - 3)]
    for gate in (10 ** -6.9309, None):
        least = gate if gate else 0.1 * sum(blocks) / len(blocks)
        blocks = [power for power in blocks if power > least]
        if not blocks:
            return -math.inf
    return -0.691 + 10 * math.log10(sum(blocks) / len(blocks))
