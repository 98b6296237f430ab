"""The parts of a preset file that the audition reads."""

import pathlib
import re

CATEGORIES = {
    "basses": "Basses", "leads": "Leads", "pads": "Pads", "keys": "Keys", "plucks": "Plucks, mallets and drums",
    "organs": "Organs and winds", "strings": "Strings and brass", "motion": "Motion and effects"}
# The parts of the page: the categories of the first bank, and the second bank as a whole.
SECTIONS = {**CATEGORIES, "arps": "Arpeggios, sequences and chords"}


class Preset:
    def __init__(self, path):
        path = pathlib.Path(path)
        self.is_arp = path.parent.name == "arps"
        self.text = path.read_text(encoding="utf-8")
        number = re.match(r"\d+", path.stem)
        self.number = int(number[0]) if number else None
        self.name = self._word("name") or path.stem
        self.category = self._word("category") or ""
        self.tags = [tag.strip() for tag in self._word("tags").split(",") if tag.strip()]
        self.section = "arps" if self.is_arp else self.category
        self.author, self.about = self._word("author"), self._word("about")
        self.knobs = dict(re.findall(r"^(/\S+?)(?:/(?:hz|seconds|db|percent|cents|semitones|octaves|value))? (\S+)$",
                                     self.text, re.MULTILINE))

    def _word(self, word):
        line = re.search(rf"^{word} (.+)$", self.text, re.MULTILINE)
        return line[1].strip() if line else ""

    def number_of(self, knob):
        return float(self.knobs.get(knob, 0))

    @property
    def routes(self):
        """Slots of the matrix, as (source, target, amount)."""
        slots = [tuple(self.knobs.get(f"/mod/{n}/{part}", "off") for part in ("source", "target", "amount"))
                 for n in range(1, 17)]
        return [slot for slot in slots if "off" not in slot and float(slot[2]) != 0]

    @property
    def macros(self):
        """The numbers of the macros that do something."""
        used = " ".join(f"{value}" for knob, value in self.knobs.items() if knob.startswith("/mod/"))
        return [macro for macro in range(1, 5) if f"macro-{macro}" in used]

    @property
    def uses_matrix(self):
        """Beyond a vibrato."""
        return any(not (source.startswith("lfo") and target == "pitch") for source, target, _ in self.routes)

    @property
    def uses_oscillators(self):
        """Unison, sync, ring modulation, or modulation of phase or cutoff at audio rate."""
        levels = ("/ring/level", "/osc/1/pm", "/osc/2/pm", "/filter/fm")
        return (any(self.number_of(f"/osc/{n}/unison") > 1 for n in (1, 2, 3)) or self.knobs.get("/osc/2/sync") == "on"
                or any(self.number_of(level) > 0 for level in levels)
                or any(target in ("pm", "ring", "osc-2-pm", "filter-fm") for _, target, _ in self.routes))
