// The wave of an oscillator: its form, its octave, its level, and the voices of its unison.

import { clamp, line, margin } from "./path.js"
import { waveAt } from "./waves.js"

/** Detuning of the voices of a unison, as the engine spreads them. */
const OFFSETS = [[], [0], [-1.024, 1], [0, 1, -1.024], [0.31, 1, -1.024, -0.34], [0, 1, -1.024, -0.44, 0.42], [0.19, 1, -1.024, -0.585, 0.579, -0.2], [0, 1, -1.024, -0.585, 0.579, -0.182, 0.185]]
/** Periods at octave 0, and how many can be told apart. */
const PERIODS = 2, MOST = 16

export function oscillator(section, w, h) {
  const [wave, level, width, octave, unison, detune] = ["wave", "level", "width", "octave", "unison", "detune"].map((role) => section.knob(role))
  const periods = clamp(PERIODS * 2 ** (octave?.number ?? 0), 0.25, MOST)
  const high = (h / 2 - margin(h)) * (0.1 + 0.9 * (level?.at ?? 1))
  const count = Math.round(Math.max(w, periods * 24))
  const voice = (cents) => line(count, w, (t) => h / 2 - high * waveAt(wave.choice, t * periods * (1 + cents / 1200), (width?.number ?? 50) / 100))
  const offsets = OFFSETS[Math.round(unison?.number ?? 1)] ?? [0]
  const spread = detune?.number ?? 0
  return {
    lines: [
      { d: `M0 ${h / 2}H${w}`, as: "axis" },
      ...offsets.slice(1).map((offset) => ({ d: voice(offset * spread), as: "ghost" })),
      { d: voice((offsets[0] ?? 0) * spread), as: level && level.at === 0 ? "off" : "main" },
    ],
  }
}
