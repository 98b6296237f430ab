"""Figures of a sound file."""

import re
import subprocess
import wave

import numpy as np

from .stimuli import START, STROKE, STROKES

RATE = 48_000
FLOOR = 60  # decibels below the loudest that are still distinguished
MELS, SIZE, HOP = 32, 2048, 960


def read(path):
    """Left and right of a WAV of 16 bits, full scale 1."""
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (RATE, 2, 2), path
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32768
    return samples[:, 0], samples[:, 1]


def write(path, samples, rate):
    """A WAV of 16 bits and one channel."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


def loudness(path):
    """Integrated loudness in LUFS and true peak in dBTP, by EBU R128 as ffmpeg measures it."""
    run = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"],
        capture_output=True, text=True, check=True)
    summary = run.stderr[run.stderr.rindex("Summary:"):]

    def figure(pattern):
        return float(re.search(pattern, summary)[1].replace("-inf", "-120"))
    return figure(r"I:\s+(\S+) LUFS"), figure(r"Peak:\s+(\S+) dBFS")


def decibels(power):
    return 10 * np.log10(np.maximum(power, 1e-12))


def spectra(samples, size=SIZE, hop=HOP):
    """Power by time and bin."""
    count = max(1, (len(samples) - size) // hop + 1)
    padded = np.pad(samples, (0, max(0, size - len(samples))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]
    return np.abs(np.fft.rfft(frames * np.hanning(size)) * (4 / size)) ** 2


def _mel_filters():
    def mel(hertz):
        return 2595 * np.log10(1 + hertz / 700)
    edges = 700 * (10 ** (np.linspace(mel(40), mel(16_000), MELS + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(SIZE, 1 / RATE)
    rows = []
    for low, middle, high in zip(edges, edges[1:], edges[2:]):
        rows.append(np.maximum(0, np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle))))
    return np.array(rows)


MEL = _mel_filters()


def log_mel(left, right, seconds):
    """Decibels below the loudest, by time and mel band, no less than -FLOOR."""
    count = round(seconds * RATE)
    middle = np.pad((left + right) / 2, (0, count))[:count]
    levels = decibels(spectra(middle) @ MEL.T)
    return np.maximum(levels - levels.max(), -FLOOR)


def distance(one, other):
    """The distance of two pictures: the mean over time of the root mean square over the bands, in decibels."""
    return float(np.sqrt(((one - other) ** 2).mean()))


def width(left, right, below=None):
    """Side over mid in decibels, below some frequency in hertz, or overall; -100 for a mono sound."""
    middle, side = (left + right) / 2, (left - right) / 2
    powers = []
    for signal in (middle, side):
        power = np.abs(np.fft.rfft(signal)) ** 2
        frequencies = np.fft.rfftfreq(len(signal), 1 / RATE)
        powers.append(power[(frequencies >= 20) & (frequencies < (below or RATE))].sum())
    return float(max(-100, 10 * np.log10(max(powers[1], 1e-12) / max(powers[0], 1e-9))))


def k_weights(count):
    """The K weighting of BS.1770 as a power, for the bins of a spectrum of `count` samples."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(count))
    shelf = (1.53512485958697 - 2.69169618940638 * z + 1.19839281085285 * z**2) / (
        1 - 1.69065929318241 * z + 0.73248077421585 * z**2)
    high = (1 - 2 * z + z**2) / (1 - 1.99004745483398 * z + 0.99007225036621 * z**2)
    return np.abs(shelf * high) ** 2


def levels(left, right, starts, seconds):
    """K-weighted levels of stretches of a sound, in decibels."""
    # Of a length that is quick to transform.
    size = 1 << (len(left) - 1).bit_length()
    gains = np.sqrt(k_weights(size))
    heard = [np.fft.irfft(np.fft.rfft(side, size) * gains, size) for side in (left, right)]
    length = round(seconds * RATE)
    heard = [np.pad(side, (0, round(max(starts) * RATE) + length)) for side in heard]
    return [float(decibels(sum((side[round(start * RATE):][:length] ** 2).mean() for side in heard))) for start in starts]


def spread(left, right):
    """Decibels from the softest to the loudest of equal strokes: of their first 100 ms, and of all of each."""
    starts = [START + turn * STROKE for turn in range(STROKES)]
    found = [levels(left, right, starts, length) for length in (0.1, STROKE)]
    return tuple(max(each) - min(each) for each in found)


def tops(left, right, count, hop=0.025):
    """The level of the loudest 100 ms of each of so many strokes, in decibels."""
    places = np.arange(0, STROKE - 0.1, hop)
    starts = [START + turn * STROKE + place for turn in range(count) for place in places]
    return np.reshape(levels(left, right, starts, 0.1), (count, -1)).max(axis=1)


def offset(left, right):
    """The larger of both channels' means relative to their root mean squares, in decibels."""
    return max(
        float(20 * np.log10(max(abs(side.mean()), 1e-9) / max(np.sqrt((side ** 2).mean()), 1e-6)))
        for side in (left, right))


def sameness(left, right, apart=1.0, count=4, seconds=0.3):
    """The similarity of two strikes of one key: the smallest difference, in decibels relative to the louder one.
    Bit-identical strikes give -100."""
    middle = (left + right) / 2
    strikes = [middle[round(turn * apart * RATE):][:round(seconds * RATE)] for turn in range(count)]
    nearest = 0.0
    for index, one in enumerate(strikes):
        for other in strikes[index + 1:]:
            power = max((one ** 2).sum(), (other ** 2).sum(), 1e-12)
            difference = ((one - other) ** 2).sum() / power
            nearest = min(nearest, 10 * np.log10(max(difference, 1e-10)))
    return float(nearest)
