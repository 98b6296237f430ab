"""The programs and drums of General MIDI beside the mean of soundfonts: audition --bank gm."""

import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import wave

import numpy as np

from . import measure, stimuli

FONTS = ["/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2"]
SLOT, HELD = 4.0, 1.5  # seconds from one program to the next, and of its note
DRUM_SLOT, DRUM_HELD = 2.5, 0.3
# Short notes, as melodies have them, and how many decibels their level beside the piano's may be off.
SHORT_SLOT, SHORT_HELD, SHORT_OFF = 2.5, 0.15, 6
VELOCITY = 100
# Strokes whose levels are compared with those of velocity 127, three of each; decibels that they may be off.
VELOCITIES, TURNS, OFF = [20, 40, 64, 90, 127], 8, 1.5
GM_ON = b"\xf0\x05\x7e\x7f\x09\x01\xf7"
KEYS = range(27, 88)  # of the drums
# Keys of programs whose instruments are not played at middle C.
LOW = [*range(33, 41), 43, 44, 48, 58, 59, 68, 71]
HIGH = [10, 73, 113]
QUIET = -50  # decibels: what is quieter is no sound

DRUM_NAMES = """High Q;Slap;Scratch Push;Scratch Pull;Sticks;Square Click;Metronome Click;Metronome Bell
Acoustic Bass Drum;Bass Drum 1;Side Stick;Acoustic Snare;Hand Clap;Electric Snare;Low Floor Tom;Closed Hi-hat
High Floor Tom;Pedal Hi-hat;Low Tom;Open Hi-hat;Low-Mid Tom;High-Mid Tom;Crash Cymbal 1;High Tom;Ride Cymbal 1
Chinese Cymbal;Ride Bell;Tambourine;Splash Cymbal;Cowbell;Crash Cymbal 2;Vibraslap;Ride Cymbal 2;High Bongo;Low Bongo
Mute High Conga;Open High Conga;Low Conga;High Timbale;Low Timbale;High Agogo;Low Agogo;Cabasa;Maracas;Short Whistle
Long Whistle;Short Guiro;Long Guiro;Claves;High Wood Block;Low Wood Block;Mute Cuica;Open Cuica;Mute Triangle
Open Triangle;Shaker;Jingle Bell;Bell Tree;Castanets;Mute Surdo;Open Surdo""".replace("\n", ";").split(";")


def key_of(program):
    return 40 if program in LOW else 76 if program in HIGH else 60


def _song(turns, slot):
    """A song for General MIDI; turns are (seconds held, events before the note, channel, key)."""
    events = [(0.0, GM_ON)]
    for turn, (held, before, channel, key) in enumerate(turns):
        start = 0.5 + turn * slot
        events += [(start - 0.1, event) for event in before]
        events.append((start, bytes([0x90 | channel, key, VELOCITY])))
        events.append((start + held, bytes([0x80 | channel, key, 64])))
        events.append((start + slot - 0.2, bytes([0xB0 | channel, 120, 0])))
    return stimuli.song(events)


def _slots(samples, count, slot):
    size = round(slot * measure.RATE)
    first = round(0.5 * measure.RATE)
    length = size - round(0.15 * measure.RATE)
    padded = np.pad(samples, ((0, first + count * size), (0, 0)))
    return [padded[first + turn * size:][:length] for turn in range(count)]


SIZE, HOP = 4096, 2048
FREQUENCIES = np.fft.rfftfreq(SIZE, 1 / measure.RATE)
HEARD = (FREQUENCIES > 20) & (FREQUENCIES < 18_000)
WEIGHTS = measure.k_weights(SIZE)


def figures(sound):
    """Centroid in hertz; attack and decay by 20 dB in milliseconds; level of the loudest 0.3 s, K-weighted decibels; and
    the level at 1.4 s, decibels below the highest."""
    # What comes before the first frame counts as much as the rest.
    padded = np.pad(sound, ((HOP, 0), (0, 0)))
    spectra = sum(measure.spectra(padded[:, side], SIZE, HOP) for side in (0, 1))
    spectrum = spectra.sum(axis=0)
    centroid = float((spectrum * FREQUENCIES)[HEARD].sum() / max(spectrum[HEARD].sum(), 1e-20))
    loud = np.convolve(spectra @ WEIGHTS, np.ones(7) / 7, "valid")
    level = 10 * np.log10(max(loud.max(), 1e-12))
    power = (sound ** 2).sum(axis=1)
    hop = round(0.002 * measure.RATE)
    sums = np.concatenate([[0], np.cumsum(power)])
    steps = np.arange(0, len(power) - 5 * hop, hop)
    envelope = measure.decibels((sums[steps + 5 * hop] - sums[steps]) / (5 * hop))
    top = envelope.max()
    first = int(np.argmax(envelope > top - 3))
    peak = int(np.argmax(envelope))
    after = envelope[peak:] < top - 20
    decay = int(np.argmax(after)) if after.any() else len(envelope) - peak
    late = envelope[min(round(1.4 * measure.RATE / hop), len(envelope) - 1)]
    return {"centroid": round(centroid, 1), "attack": 2 * first, "decay": 2 * decay, "level": round(float(level), 2),
            "late": round(max(float(late - top), -99.0), 1)}


def _read(path):
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (measure.RATE, 2, 2), path
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32768


def _measured(folder, name, programs, drums, render):
    """Figures by program and key, and the samples of each."""
    found = {}
    kinds = ("programs", programs, SLOT, HELD), ("short", programs, SHORT_SLOT, SHORT_HELD), ("drums", drums, DRUM_SLOT, DRUM_HELD)
    for kind, numbers, slot, held in kinds:
        if not numbers:
            continue
        if kind == "drums":
            turns = [(held, [], 9, n) for n in numbers]
        else:
            turns = [(held, [bytes([0xC0, n - 1])], 0, key_of(n)) for n in numbers]
        song, output = folder / f"{name}-{kind}.mid", folder / f"{name}-{kind}.wav"
        song.write_bytes(_song(turns, slot))
        render(song, output)
        for number, sound in zip(numbers, _slots(_read(output), len(numbers), slot)):
            found[f"{kind} {number}"] = figures(sound)
    return found


def _mean(figures):
    """The mean of several soundfonts' figures of a sound: of centroids in octaves."""
    mean = {name: float(np.mean([one[name] for one in figures])) for name in figures[0]}
    mean["centroid"] = float(np.exp(np.mean([np.log(max(one["centroid"], 1)) for one in figures])))
    return mean


def _strokes(folder, kind, numbers, render):
    """How far equal strokes of each program or drum are apart, and how far off 40 log10(velocity / 127) soft ones are."""
    def apart(number):
        song, output = folder / f"strokes-{kind}-{number}.mid", folder / f"strokes-{kind}-{number}.wav"
        before = [GM_ON] if kind == "drums" else [GM_ON, bytes([0xC0, number - 1])]
        key, channel = (number, 9) if kind == "drums" else (key_of(number), 0)

        def played(velocities):
            song.write_bytes(stimuli.strokes(key, velocities, channel, before))
            render(song, output)
            return _read(output).T

        even = measure.spread(*played([VELOCITY] * stimuli.STROKES))
        # Softest first, so that none is heard through the tail of a harder one.
        levels = measure.tops(*played(np.repeat(VELOCITIES, TURNS)), len(VELOCITIES) * TURNS)
        levels = np.reshape(levels, (-1, TURNS)).mean(axis=1)
        off = levels - levels[-1] - 40 * np.log10(np.array(VELOCITIES) / 127)
        return *even, float(off[np.argmax(np.abs(off))])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(numbers, pool.map(apart, numbers)))


def _wanted(names, texts):
    """The numbers whose text a name begins, is part of, or is; all without names."""
    if not names:
        return list(texts)
    return [number for number, text in texts.items()
            if any(name == f"{number}" or not name.isdigit() and name.lower() in text.lower() for name in names)]


def _summary(rows, kind):
    octaves = np.array([row["octaves"] for row in rows])
    levels = np.array([row["apart"] for row in rows])
    loud = levels - np.median(levels)
    off = np.abs([row["strokes"][2] for row in rows])
    return (f"{kind}: centroid apart by {np.median(octaves):.2f} octaves in the middle, {int((octaves > 1).sum())} of "
            f"{len(rows)} over 1, {int((octaves > 2).sum())} over 2; levels spread by {loud.std():.1f} dB, "
            f"{int((np.abs(loud) > 3).sum())} over 3 dB from the middle; velocity off by {np.median(off):.1f} dB in the middle, "
            f"{int((off > OFF).sum())} over {OFF} dB"
            + (f"; short notes beside the piano's: {int((np.abs([row['short'] for row in rows]) > SHORT_OFF).sum())} off by over "
               f"{SHORT_OFF} dB" if kind == "programs" else ""))


def names_of(presets):
    """The names of programs and drums, with the presets that play them."""
    programs, drums = {}, {}
    for line in (presets / "gm.txt").read_text().splitlines():
        line, _, comment = line.partition("#")
        words = line.split()
        if words and words[0].isdigit():
            programs[int(words[0])] = f"{comment.strip()} ({' '.join(words[1:])})"
        elif words and words[0] == "drum":
            drums[int(words[1])] = " ".join(words[3:])
    return programs, {key: f"{DRUM_NAMES[key - 27]}" + (f" ({drums[key]})" if key in drums else "") for key in KEYS}


def compare(options):
    """Renders, measures and prints. The figures of the soundfonts are kept in the folder."""
    folder = options.folder.resolve()
    fonts = [options.soundfont] if options.soundfont else [path for path in map(pathlib.Path, FONTS) if path.exists()]
    if not fonts:
        raise SystemExit("there is no soundfont; packaging/setup audition-gm installs one")
    programs, drums = names_of(options.presets)
    names = [name for name in options.names if name not in ("drums", "programs")]
    kinds = {"programs": _wanted(names, programs), "drums": _wanted(names, drums)}
    if "drums" in options.names:
        kinds["programs"] = []
    if "programs" in options.names:
        kinds["drums"] = []

    def theirs(font, song, output):
        subprocess.run(["fluidsynth", "-niq", "-F", output, "-T", "wav", "-O", "s16", "-r", str(measure.RATE), "-g", "0.5",
                        "-R", "0", "-C", "0", font, song], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ours(song, output):
        subprocess.run([options.pipit, "render", song, "-o", output, "--programs", "gm", "--presets", options.presets,
                        "--state", folder], check=True, stdout=subprocess.DEVNULL)

    references = []
    for font in fonts:
        kept = folder / f"{font.stem}.json"
        if not kept.exists() or options.again:
            render = functools.partial(theirs, font)
            kept.write_text(json.dumps(_measured(folder, font.stem, list(programs), list(KEYS), render), indent=1))
        references.append(json.loads(kept.read_text()))
    # Some soundfonts have no sound for keys outside 35 to 81.
    reference = {key: _mean([one[key] for one in references if one[key]["level"] > QUIET] or [references[0][key]])
                 for key in references[0]}
    found = _measured(folder, "pipit", kinds["programs"], kinds["drums"], ours)
    piano = _measured(folder, "piano", [1], [], ours)["short 1"]["level"] - reference["short 1"]["level"]
    (folder / "gm-figures.json").write_text(json.dumps(found, indent=1))
    print(f"{'':44} {'centroid, Hz':>14} {'attack, ms':>11} {'decay, ms':>11} {'at 1.4 s':>9} {'level':>6} {'short':>6}  octaves  strokes    velocity")
    rows = {"programs": [], "drums": []}
    for kind, texts in (("programs", programs), ("drums", drums)):
        strokes = _strokes(folder, kind, kinds[kind], ours)
        for number in kinds[kind]:
            one, other = found[f"{kind} {number}"], reference[f"{kind} {number}"]
            if other["level"] < QUIET:
                print(f"{number:3} {texts[number]:40} {one['centroid']:7.0f}  no soundfont has one")
                continue
            row = {"number": number, "strokes": strokes[number], "octaves": abs(np.log2(max(one["centroid"], 1) / max(other["centroid"], 1))),
                   "apart": one["level"] - other["level"], "short": 0.0}
            if kind == "programs":
                row["short"] = found[f"short {number}"]["level"] - reference[f"short {number}"]["level"] - piano
            rows[kind].append((row, one, other))
        middle = np.median([row["apart"] for row, _, _ in rows[kind]] or [0])
        for row, one, other in rows[kind]:
            print(f"{row['number']:3} {texts[row['number']]:40.40} {one['centroid']:7.0f}/{other['centroid']:<6.0f} "
                  f"{one['attack']:5}/{other['attack']:<5.0f} {one['decay']:5}/{other['decay']:<5.0f} {one['late']:4.0f}/{other['late']:<4.0f} "
                  f"{row['apart'] - middle:+6.1f} {row['short']:+6.1f} {row['octaves']:5.2f} {row['strokes'][0]:6.1f} {row['strokes'][1]:4.1f} "
                  f"{row['strokes'][2]:+8.1f}{'  OVER' if row['octaves'] > 2 or abs(row['strokes'][2]) > OFF or abs(row['short']) > SHORT_OFF else ''}")
    for kind in rows:
        if rows[kind]:
            print(_summary([row for row, _, _ in rows[kind]], kind))
