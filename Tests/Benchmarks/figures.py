"""Sounds as arrays, and pictures of them. Debian's numpy and matplotlib: packaging/setup figures."""

import sys
import wave

try:
    import matplotlib
    import numpy as np
except ImportError:
    sys.exit("there is no numpy or matplotlib for this Python: packaging/setup figures installs them")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402,F401

RATE = 48000
LOWEST = 1e-12


def read(path):
    """Floats of both sides in turn, as frames by channels."""
    return np.fromfile(path, np.float32).astype(float).reshape(-1, 2)


def write_wav(path, sound, peak=None):
    """24 bits; with a peak it is made as loud."""
    if peak:
        sound = sound * (peak / max(np.abs(sound).max(), LOWEST))
    words = np.clip(np.round(sound * 8388607), -8388608, 8388607).astype("<i4")
    with wave.open(str(path), "wb") as file:
        file.setparams((sound.shape[1], 3, RATE, 0, "NONE", ""))
        file.writeframes(words.view(np.uint8).reshape(-1, 4)[:, :3].tobytes())


def decibels(power):
    return 10 * np.log10(np.maximum(power, LOWEST ** 2))


def levels(x, seconds=0.05):
    """The level of each piece of a sound."""
    size = int(seconds * RATE)
    pieces = x[:len(x) // size * size].reshape(-1, size)
    return np.arange(len(pieces)) * seconds, decibels((pieces ** 2).mean(axis=1))


def spectrogram(axes, x, title, floor=-110):
    """Draws the power of a sound over time and frequency, in decibels of its loudest point."""
    size, hop = 2048, max(240, len(x) // 2000)
    starts = np.arange(0, len(x) - size, hop)
    window = np.hanning(size)
    power = np.array([np.abs(np.fft.rfft(x[at:at + size] * window)) ** 2 for at in starts]).T
    level = decibels(power / power.max())
    image = axes.pcolormesh(starts / RATE, np.fft.rfftfreq(size, 1 / RATE)[1:], level[1:], vmin=floor, vmax=0,
                            cmap="inferno", shading="nearest", rasterized=True)
    axes.set(yscale="log", ylim=(60, 16000), title=title, ylabel="Hz")
    return image
