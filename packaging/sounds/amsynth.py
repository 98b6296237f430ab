"""Presets of amsynth beside what `pipit presets import` makes of them: audition --bank amsynth."""

import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

from . import measure, stimuli
from .dssi import Plugin

BANKS = pathlib.Path("/usr/share/amsynth/banks")
PLUGIN = "/usr/lib/dssi/amsynth_dssi.so"
COUNT, SEED = 100, 1
HELD, SECONDS = 1.5, 2.5
KEYS, VELOCITY = (48, 64), 100
# The initial values that are not 0.
INITIAL = {
    "amp_sustain": 1, "amp_vel_sens": 1, "osc1_pulsewidth": 1, "osc2_pulsewidth": 1, "filter_sustain": 1,
    "filter_slope": 1, "filter_kbd_track": 1, "filter_vel_sens": 1, "reverb_width": 1, "osc1_waveform": 2,
    "osc2_waveform": 2, "filter_cutoff": 1.5, "filter_mod_amount": -1, "amp_mod_amount": -1, "master_vol": 0.67}


def presets():
    """The presets of all banks: name, lines and values of each."""
    found = []
    for bank in sorted(BANKS.glob("*.bank")):
        for line in bank.read_text(encoding="latin-1").splitlines():
            words = line.split()
            if line.startswith("<preset> <name>"):
                found.append((line[15:].strip(), [line], {}))
            elif line.startswith("<parameter>") and found and len(words) == 3:
                found[-1][1].append(line)
                found[-1][2][words[1]] = float(words[2])
    return found


def level(sound):
    """Loudness without weighting, in decibels, of the time in which the keys are held."""
    middle = (sound[0] + sound[1]) / 2
    return float(measure.decibels((middle[:round(HELD * measure.RATE)] ** 2).mean()))


def compare(options):
    if not BANKS.exists() or not pathlib.Path(PLUGIN).exists():
        sys.exit("there is no amsynth; packaging/setup audition-amsynth installs it")
    plugin = Plugin(PLUGIN)
    chosen = random.Random(SEED).sample(presets(), COUNT)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        rows = [_row(plugin, options, scratch, index, *preset) for index, preset in enumerate(chosen)]
    rows = [row for row in rows if row]
    print(f"{'amsynth':24} level  pipit apart  not carried over")
    for name, theirs, ours, apart, losses, *_ in rows:
        print(f"{name:24} {theirs:5.1f} {ours:6.1f} {apart:5.1f}  {losses}")
    print("\n" + "\n".join(_summary(rows)))


def _row(plugin, options, scratch, index, name, lines, values):
    """Renders a preset by both; nil for one that is silent."""
    file = scratch / f"{index}.bank"
    # A name of its own, since some are there twice.
    file.write_text("\n".join(["amSynth", f"<preset> <name> {index} {name}", *lines[1:]]) + "\n")
    folders = ["--state", scratch / "state", "--presets", options.presets]
    said = subprocess.run([options.pipit, "presets", "import", file, *folders], check=True, capture_output=True, text=True).stdout
    song = [event for key in KEYS for event in ((0.0, bytes([0x90, key, VELOCITY])), (HELD, bytes([0x80, key, 64])))]
    (scratch / "song.mid").write_bytes(stimuli.song(sorted(song)))
    subprocess.run([options.pipit, "render", scratch / "song.mid", "--keys", "-o", scratch / "out.wav", "--preset", f"{index} {name}",
                    *folders], check=True, stdout=subprocess.DEVNULL)
    ours = measure.read(scratch / "out.wav")
    notes = [(0.0, HELD, key, VELOCITY) for key in KEYS]
    controls = {name: values.get(name, INITIAL.get(name, 0.0)) for name in plugin.names}
    theirs = plugin.play(controls, notes, SECONDS, measure.RATE)
    if level(theirs) < -60:
        return None
    pictures = [measure.log_mel(*sound, seconds=SECONDS) for sound in (theirs, ours)]
    losses = "; ".join(part.split(": ", 1)[-1] for part in said.strip().split("; ")[1:])
    return name, level(theirs), level(ours), measure.distance(*pictures), losses, pictures[0]


def _summary(rows):
    apart = np.array([row[3] for row in rows])
    others = np.array([measure.distance(one[5], other[5]) for place, one in enumerate(rows) for other in rows[place + 1:]])
    levels = np.array([row[2] - row[1] for row in rows])
    exact = [row[3] for row in rows if not row[4]]
    return [
        f"{len(rows)} presets, {len(exact)} without losses",
        f"log-mel distance to their imports: median {np.median(apart):.1f} dB, 90 % {np.quantile(apart, 0.9):.1f}; without losses {np.median(exact):.1f}",
        f"log-mel distance of two different ones of amsynth: median {np.median(others):.1f} dB, 10 % {np.quantile(others, 0.1):.1f}",
        f"level of imports over amsynth's: median {np.median(levels):.1f} dB, 10 % {np.quantile(levels, 0.1):.1f}, 90 % {np.quantile(levels, 0.9):.1f}"]
