"""The WAV that the machine's sound card writes, read while it grows, and what can be heard in it."""

import array
import math
import os
import time

RATE = 48000
HEADER = 44
FRAME = 4  # two channels of 16 bits


class Recording:
    def __init__(self, path):
        self.path = path

    def now(self):
        """Frames written until now."""
        try:
            return max(0, os.path.getsize(self.path) - HEADER) // FRAME
        except FileNotFoundError:
            return 0

    def frames(self, start, seconds, timeout=600):
        """The left channel from frame `start`, -1...1; waits until that much is recorded."""
        count = int(seconds * RATE)
        end = time.monotonic() + timeout
        while self.now() < start + count:
            if time.monotonic() > end:
                raise TimeoutError(f"the sound card stands still at frame {self.now()}")
            time.sleep(0.05)
        with open(self.path, "rb") as file:
            file.seek(HEADER + start * FRAME)
            stereo = array.array("h", file.read(count * FRAME))
        return [sample / 32768 for sample in stereo[::2]]


def until(measure, holds, tries=20):
    """What `measure()` hears as soon as `holds` is true of it, or the last of some tries: what was just sent may be heard
    later on a busy host, and an emulated card may run dry in a window."""
    for _ in range(tries):
        found = measure()
        if holds(found):
            break
    return found


def level(samples):
    """Root mean square in decibels of full scale; silence is -120."""
    power = sum(sample * sample for sample in samples) / len(samples)
    return 10 * math.log10(power) if power > 1e-12 else -120.0


def partial(samples, frequency):
    """Power of one frequency, through a Hann window."""
    step, count = 2 * math.pi * frequency / RATE, len(samples)
    real = imaginary = 0.0
    for i, sample in enumerate(samples):
        weighted = sample * (1 - math.cos(2 * math.pi * i / count))
        real += weighted * math.cos(step * i)
        imaginary += weighted * math.sin(step * i)
    return (real * real + imaginary * imaginary) / (count * count)


def brightness(samples, fundamental):
    """Decibels of the harmonics from 2 to 8 kHz over the fundamental."""
    numbers = range(math.ceil(2000 / fundamental), int(8000 / fundamental) + 1)
    high = sum(partial(samples, fundamental * number) for number in numbers)
    return 10 * math.log10(max(high, 1e-15) / max(partial(samples, fundamental), 1e-15))


def pitch(samples):
    """The pitch in Hz by autocorrelation, 60 to 1,000 Hz, or None where there is no pitch."""
    window = min(4096, len(samples) - RATE // 60 - 2)
    head = samples[:window]

    def likeness(lag):
        tail = samples[lag:lag + window]
        energy = sum(a * a for a in tail) + sum(a * a for a in head)
        return 2 * sum(a * b for a, b in zip(head, tail)) / energy if energy > 0 else 0

    lags = range(RATE // 1000 - 1, RATE // 60 + 2)
    curve = [likeness(lag) for lag in lags]
    best = max(curve)
    if best < 0.8:
        return None
    # The first peak nearly as high as the best one: later ones are multiples of the period.
    for i in range(1, len(curve) - 1):
        if curve[i] > 0.95 * best and curve[i - 1] <= curve[i] >= curve[i + 1]:
            bend = curve[i - 1] - 2 * curve[i] + curve[i + 1]
            return RATE / (lags[i] + (0.5 * (curve[i - 1] - curve[i + 1]) / bend if bend else 0))
    return None


def onsets(samples, block=240):
    """Seconds at which sound begins after silence, to 5 ms."""
    found, quiet = [], True
    for start in range(0, len(samples) - block, block):
        loud = level(samples[start:start + block])
        if quiet and loud > -40:
            found.append(start / RATE)
        if loud > -40:
            quiet = False
        elif loud < -60:
            quiet = True
    return found


def hertz(key):
    """The frequency of a MIDI key in equal temperament at A 440."""
    return 440 * 2 ** ((key - 69) / 12)


def cents(frequency, reference):
    return 1200 * math.log2(frequency / reference)
