"""How far a preset is from an instrument: nine notes of both, compared in several resolutions. packaging/match searches."""

import pathlib
import re
import subprocess
import wave

import numpy as np

from . import stimuli
from .measure import decibels, k_weights

RATE = 24_000  # half the usual rate changes a distance by 0.3 dB at most, and halves the time
FLOOR = 60  # decibels below the loudest that are still distinguished
GM_ON = b"\xf0\x05\x7e\x7f\x09\x01\xf7"

# Notes: semitones from the middle of the register, velocity, seconds held. Each key once, since few keys would be learned by
# heart; velocities crossed with them; three held so long that a sound which never decays is heard to be one.
TRAINED = [(-17, 80, 0.9), (-12, 115, 2.6), (-8, 40, 0.9), (-5, 115, 0.9), (0, 80, 2.6), (4, 40, 0.9), (7, 115, 0.9),
           (12, 40, 2.6), (17, 80, 0.9)]
# Notes that no search hears.
HELD_OUT = [(-10, 100, 0.9), (-3, 55, 0.9), (2, 75, 2.6), (6, 100, 0.9), (10, 55, 0.9), (15, 75, 0.9)]
AFTER = 0.8  # seconds from the end of a key to the next note
START = 0.2

# Parts of the distance, and what they weigh.
WEIGHTS = {"picture": 0.35, "partials": 0.25, "attack": 0.2, "envelope": 0.2, "level": 0.2}
PARTIALS, INSTANTS = 24, (0.06, 0.35, 0.8)  # partials that are compared, and when, in seconds from the onset


def song(notes, middle, before=()):
    """A MIDI file of the notes, after messages that choose what it plays."""
    events, start = [(0.0, message) for message in before], START
    for offset, velocity, held in notes:
        events += [(start, bytes([0x90, middle + offset, velocity])), (start + held, bytes([0x80, middle + offset, 64]))]
        start += held + AFTER
    return stimuli.song(events)


def read(path, rate=RATE):
    """The middle of a WAV file of 16 bits, full scale 1."""
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getsampwidth()) == (rate, 2), path
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels()) / 32768
    return samples.mean(axis=1)


def cut(samples, notes):
    """Each note from its onset on: sampled instruments begin up to 15 ms after the key, and a shift is no difference."""
    found, start = [], START
    for _, _, held in notes:
        first, count = round((start - 0.02) * RATE), round((held + AFTER - 0.1) * RATE)
        sound = np.pad(samples, (0, max(0, first + count + RATE // 4 - len(samples))))[first:first + count + RATE // 4]
        loud = np.abs(sound)
        top = loud[:RATE // 2].max()
        onset = int(np.argmax(loud > top * 0.05)) if top > 1e-4 else 0
        found.append(sound[max(0, onset - 24):][:count])
        start += held + AFTER
    return found


def _frames(sound, size, hop):
    padded = np.pad(sound, (size // 4, size))
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[:len(sound):hop]
    return np.abs(np.fft.rfft(frames * np.hanning(size)) * (4 / size)) ** 2


def _mels(count, size, low=40, high=11_000):
    def mel(hertz):
        return 2595 * np.log10(1 + np.asarray(hertz) / 700)
    edges = 700 * (10 ** (np.linspace(mel(low), mel(high), count + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / RATE)
    rows = [np.maximum(0, np.minimum((bins - a) / (b - a), (c - bins) / (c - b))) for a, b, c in zip(edges, edges[1:], edges[2:])]
    return np.array(rows).T


PICTURE, ATTACK = (72, 1024, 768), (40, 256, 144)  # mel bands, samples of a spectrum, samples from one to the next
MEL_OF = {form: _mels(form[0], form[1]) for form in (PICTURE, ATTACK)}
# The K weighting is given for 48 kHz: the lower half of a spectrum of twice the length is that of this rate.
WEIGHT = k_weights(2 * 512)[:257]


def _partials(sound, key):
    """Levels of the partials of a key at the instants, in power; what lies above 11 kHz is nothing."""
    size, base = 4096, 440 * 2 ** ((key - 69) / 12)
    found = np.zeros((len(INSTANTS), PARTIALS))
    for row, instant in enumerate(INSTANTS):
        piece = sound[round(instant * RATE):][:2048]
        power = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), size) * (4 / 2048)) ** 2 if len(piece) > 64 else np.zeros(2049)
        for partial in range(PARTIALS):
            hertz = base * (partial + 1)
            if hertz < 11_000:
                bins = hertz * size / RATE
                found[row, partial] = power[int(bins * 0.985 - 2):int(bins * 1.015 + 3)].max()
    return found


def features(samples, notes, middle):
    """What is compared of each note, in decibels relative to the loudness of all notes together."""
    sounds = cut(samples, notes)
    spectra = [_frames(sound, 512, 240) @ WEIGHT for sound in sounds]
    # The loudest 300 ms of each note.
    tops = [np.convolve(power, np.ones(30) / 30, "valid").max() for power in spectra]
    loudness = 10 * np.log10(max(float(np.mean(tops)), 1e-12))
    found = []
    for (offset, _, _), sound, power, top in zip(notes, sounds, spectra, tops):
        attack = _frames(sound[:round(0.12 * RATE)], *ATTACK[1:]) @ MEL_OF[ATTACK]
        found.append({name: decibels(value) - loudness for name, value in {
            "picture": _frames(sound, *PICTURE[1:]) @ MEL_OF[PICTURE], "attack": attack, "envelope": power,
            "partials": _partials(sound, middle + offset), "level": np.array([top])}.items()})
    return found, loudness


def _apart(target, other):
    """The root mean square of the differences; what is loud in the target counts up to four times."""
    floor = target.max() - FLOOR
    target, other = np.maximum(target, floor), np.maximum(other, floor)
    weight = 1 + 3 * (target - floor) / FLOOR
    return float(np.sqrt((weight * (target - other) ** 2).sum() / weight.sum()))


def distance(target, other):
    """Decibels from one sound's features to another's, the mean over the notes."""
    def of(one, two):
        return sum(weight * (abs(float(one[part][0] - two[part][0])) if part == "level" else _apart(one[part], two[part]))
                   for part, weight in WEIGHTS.items())
    return float(np.mean([of(one, two) for one, two in zip(target, other)]))


class Target:
    """An instrument to come near to: a program of a soundfont, or a folder of WAV files that are named KEY-VELOCITY.wav."""

    def __init__(self, text):
        path, _, program = text.rpartition(":")
        self.program = int(program) if path and program.isdigit() else None
        self.path = pathlib.Path(path if self.program else text)
        if not self.path.exists():
            raise SystemExit(f"there is no {self.path}: a target is SOUNDFONT:PROGRAM or a folder of KEY-VELOCITY.wav")
        self.name = f"{self.path.stem} {self.program}" if self.program else self.path.name

    def play(self, notes, middle, folder, rate=RATE):
        """Its samples for the notes."""
        if not self.program:
            return self._assemble(notes, middle)
        path, output = folder / "target.mid", folder / "target.wav"
        path.write_bytes(song(notes, middle, [GM_ON, bytes([0xC0, self.program - 1])]))
        subprocess.run(["fluidsynth", "-niq", "-F", output, "-T", "wav", "-O", "s16", "-r", str(rate), "-g", "0.5", "-R", "0",
                        "-C", "0", self.path, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read(output, rate)

    def _assemble(self, notes, middle):
        files = {tuple(map(int, found.groups())): path for path in self.path.glob("*.wav")
                 if (found := re.fullmatch(r"(\d+)-(\d+)", path.stem))}
        samples, start = np.zeros(round((START + sum(held + AFTER for _, _, held in notes) + 1) * RATE)), START
        for offset, velocity, held in notes:
            if (middle + offset, velocity) not in files:
                raise SystemExit(f"{self.path} has no {middle + offset}-{velocity}.wav, one of the notes that are compared")
            sound = read(files[middle + offset, velocity])[:round((held + AFTER) * RATE)]
            first = round(start * RATE)
            samples[first:first + len(sound)] += sound[:len(samples) - first]
            start += held + AFTER
        return samples


class Instrument:
    """pipit, which renders presets that are texts."""

    def __init__(self, pipit, folder):
        self.pipit, self.folder = pipit, folder

    def play(self, text, notes, middle, worker=0):
        """The samples of the notes in a preset."""
        place = self.folder / f"worker-{worker}"
        place.mkdir(exist_ok=True)
        (place / "1-candidate.txt").write_text(text)
        path, output = place / "notes.mid", place / "notes.wav"
        if not path.exists() or path.read_bytes() != song(notes, middle):
            path.write_bytes(song(notes, middle))
        run = subprocess.run(
            [self.pipit, "render", path, "-o", output, "--rate", str(RATE), "--preset", re.search(r"^name (.+)$", text, re.M)[1],
             "--presets", place, "--state", place / "state"], capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(run.stderr)
        return read(output)


# Figures of a wavetable (Sources/Synth/Wavetable/Factory/MeasuredTables.swift): its keys, the keys beside each that are
# measured with it, its partials, the seconds that are measured after the onset, and the least level in decibels.
TABLE_KEYS, BESIDE, TABLE_RATE = range(30, 91, 6), (-2, 0, 2), 48_000
TABLE_PARTIALS = [*range(1, 25), 28, 32, 38, 45, 54, 64, 80, 100, 128, 160]
HEARD, SILENT = (0.06, 0.4), 72


def _levels(sound, key):
    """The level of each partial of the table in a note, in decibels. Far ones stand for their neighbours, by their mean."""
    size, base = 1 << 16, 440 * 2 ** ((key - 69) / 12)
    top = np.abs(sound).max()
    onset = int(np.argmax(np.abs(sound) > top * 0.05)) if top > 1e-4 else 0
    piece = sound[onset + round(HEARD[0] * TABLE_RATE):onset + round(HEARD[1] * TABLE_RATE)]
    power = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), size)) ** 2
    found = []
    for place, partial in enumerate(TABLE_PARTIALS):
        below, above = partial * 0.97, partial * 1.03
        if partial > 24:
            after = TABLE_PARTIALS[min(place + 1, len(TABLE_PARTIALS) - 1)]
            below, above = (TABLE_PARTIALS[place - 1] + partial) / 2, (partial + after) / 2
        bins = [int(min(edge * base, 18_500) * size / TABLE_RATE) for edge in (below, above)]
        heard = power[bins[0]:bins[1] + 1].sum() if partial * base < 18_000 else 0
        found.append(heard / max(above - below, 1) if partial > 24 else heard)
    return decibels(np.array(found))


def table_figures(targets, folder):
    """The rows of a measured table: decibels of partials below the loudest, the mean of the targets and of three keys each."""
    notes = [(key + beside, 100, 0.9) for key in TABLE_KEYS for beside in BESIDE]
    means = []
    for target in targets:
        sound, start, rows = target.play(notes, 0, folder, TABLE_RATE), START, []
        for key, _, held in notes:
            rows.append(_levels(sound[round(start * TABLE_RATE):][:round(held * TABLE_RATE)], key))
            start += held + AFTER
        rows = np.array(rows) - np.max(rows, axis=1, keepdims=True)
        means.append(np.maximum(rows, -SILENT).reshape(len(TABLE_KEYS), len(BESIDE), -1).mean(axis=1))
    mean = np.mean(means, axis=0)
    return np.round(mean.max(axis=1, keepdims=True) - mean).astype(int)
