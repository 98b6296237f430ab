"""The limits for a sound of the bank, and the sounds that exceed them."""

LOUDNESS, AROUND = -18.0, 1.5  # LUFS of the phrase
PEAK = -1.0  # dBTP of eight keys at velocity 127
OFFSET = -40.0  # dB of a mean against the root mean square
TAIL = 15.0  # seconds from the last key to silence
DISTANCE = 10.0  # dB between any two sounds
WIDE = (-20.0, -3.0)  # dB of side over mid, for sounds that are played in chords
WIDE_CATEGORIES = ("pads", "strings", "keys")
LOW_WIDTH = -30.0  # dB of side over mid below 150 Hz, for basses
ANSWER = 0.5  # minimum change in dB by wheel and pressure; a vibrato of 20 cents has this size
REPEAT = -30.0  # dB between two strikes of one key, for sounds tagged "acoustic"
EQUAL = 1.0  # dB between equal strokes of sounds tagged "acoustic" or "drum", in their first 100 ms and as a whole
ALIKE = 2.0  # dB between those of other sounds
VARYING = ("moving", "random", "noise", "effect")  # tags of sounds that are meant to vary

# Decibels from velocity 20 to 127, within TOUCH_OFF, by category: for sounds with one of the tags first, then for the others;
# none stands for what suits the sound, such as an organ.
TOUCH, TOUCH_OFF = {
    "keys": (({"clavinet", "funk", "funky", "plucked"}, 24), 30),
    "plucks": (({"mallet", "bell", "drum", "kalimba", "pan", "music box"}, 30), 24),
    "basses": (({"acoustic", "electric", "singing"}, 24), None),
    "strings": (({"plucked"}, 24), ({"brass", "bowed", "acoustic"}, 18), None),
    "organs": (({"wind"}, 18), None),
}, 2.0
# Instruments without dynamics, and sounds whose notes are not struck one by one.
UNTOUCHED = {"baroque", "organ", "chord", "harmonics", "swell", "organ-like", "string machine", "ensemble"}
SOFTER = 0.5  # dB by which a softer stroke may be louder than a harder one

# What hands want; a sound may have its reasons to miss it.
REACH, OCTAVES = 10.0, 0.41  # velocity 20 to 127 moves the level by so many dB, or the centroid by so many octaves
SPREAD = 8.0  # dB between the loudest and the softest of the keys 36 to 96
LOW_SIDE = -12.0  # dB of side over mid below 120 Hz, of a chord
SINGLE = -1.5  # dBFS of any single note; the limiter begins above
CHORD = 4.0  # dB from eight keys to the middle of the bank
MACRO = 0.5  # dB by which each macro changes the sound


def touch(preset):
    """Decibels from velocity 20 to 127; None for what suits the sound."""
    tags = set(preset.tags)
    if preset.is_arp or tags & UNTOUCHED:
        return None
    *tagged, other = TOUCH.get(preset.category, (None,))
    return next((decibels for some, decibels in tagged if tags & some), other)


def faults(preset, figures):
    """Sentences about one sound."""
    out = []
    for word in ("category", "tags", "author", "about"):
        if not getattr(preset, word):
            out.append(f"no {word}")
    if abs(figures["loudness"] - LOUDNESS) > AROUND:
        out.append(f"loudness {figures['loudness']:.1f} LUFS")
    if figures["peak"] >= PEAK:
        out.append(f"true peak {figures['peak']:.1f} dBTP")
    if figures["offset"] > OFFSET:
        out.append(f"an offset of {figures['offset']:.0f} dB")
    if figures["tail"] > TAIL:
        out.append(f"a tail of {figures['tail']:.0f} s")
    for hand in ("wheel", "pressure"):
        if figures[hand] < ANSWER:
            out.append(f"no answer to {hand}: {figures[hand]:.1f} dB")
    if preset.category in WIDE_CATEGORIES and not WIDE[0] <= figures["width"] <= WIDE[1]:
        out.append(f"side over mid {figures['width']:.0f} dB")
    if preset.category == "basses" and figures["low width"] > LOW_WIDTH:
        out.append(f"side over mid {figures['low width']:.0f} dB below 150 Hz")
    if "acoustic" in preset.tags and figures["sameness"] < REPEAT:
        out.append(f"strikes the same to {figures['sameness']:.0f} dB")
    equal = EQUAL if {"acoustic", "drum"} & set(preset.tags) else ALIKE
    wanted = touch(preset)
    if wanted and abs(figures["reach"] - wanted) > TOUCH_OFF:
        out.append(f"velocity moves {figures['reach']:.1f} dB, not {wanted}")
    if wanted and figures["softer"] > SOFTER:
        out.append(f"a softer stroke is {figures['softer']:.1f} dB louder")
    if max(figures["strokes"]) > equal and not set(VARYING) & set(preset.tags):
        out.append("equal strokes {:.1f} dB apart at first, {:.1f} as a whole".format(*figures["strokes"]))
    return out


def wants(figures, middle):
    """Sentences about what a sound lacks under the hands; `middle` is the level of eight keys in the middle of the bank."""
    out = []
    if figures["reach"] < REACH and figures["brighter"] < OCTAVES:
        out.append(f"velocity moves {figures['reach']:.1f} dB and {figures['brighter']:.2f} octaves")
    if figures["spread"] > SPREAD:
        out.append(f"keys spread over {figures['spread']:.0f} dB")
    if figures["low side"] > LOW_SIDE:
        out.append(f"side over mid {figures['low side']:.0f} dB below 120 Hz")
    if figures["single"] > SINGLE:
        out.append(f"a note of {figures['single']:.1f} dBFS")
    if abs(figures["chord"] - middle) > CHORD:
        out.append(f"eight keys {figures['chord'] - middle:+.1f} dB from the middle")
    return out + [f"macro {macro} moves {moved:.1f} dB" for macro, moved in figures["macros"].items() if moved < MACRO]


def bank_faults(presets, figures):
    """Sentences about the bank as a whole, if it is complete."""
    count = len(presets)
    shares = [
        ("the matrix beyond vibrato", 1 / 2, [p.uses_matrix for p in presets]),
        ("the stereo field", 3 / 4, [figures[p.name]["width"] > -40 for p in presets]),
        ("unison, sync, or modulation at audio rate", 1 / 3, [p.uses_oscillators for p in presets]),
    ]
    out = [f"{what}: {sum(uses)} of {count}" for what, _, uses in shares]
    return out, [f"{what}: only {sum(uses)} of {count}" for what, share, uses in shares if sum(uses) < share * count]
