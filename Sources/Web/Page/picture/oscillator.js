// The waves of oscillators and LFOs.

import { clamp, line, margin, waveAt } from "./path.js"

/** Detuning of the voices of a unison, as the engine spreads them. */
const OFFSETS = [[], [0], [-1.024, 1], [0, 1, -1.024], [0.31, 1, -1.024, -0.34], [0, 1, -1.024, -0.44, 0.42], [0.19, 1, -1.024, -0.585, 0.579, -0.2], [0, 1, -1.024, -0.585, 0.579, -0.182, 0.185]]
/** Periods at octave 0, and how many can be told apart. */
const PERIODS = 2, MOST = 16
/** Periods of an LFO without a delay, and the most that are drawn one by one. */
const SHOWN = 2.5, ONE_BY_ONE = 48

/** The wave of an oscillator: its form, its octave, its level, and the voices of its unison. */
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

/** An LFO from the beginning of a note on: its wave, its phase, its delay and its fade. */
export function lfo(section, w, h) {
  const [wave, rate, phase, delay, fade] = ["wave", "rate", "phase", "delay", "fade"].map((role) => section.knob(role))
  const wait = delay?.number ?? 0, rise = fade?.number ?? 0
  const seconds = SHOWN / rate.number + (wait + rise) * 1.2
  const depth = (t) => (t < wait ? 0 : rise > 0 ? clamp((t - wait) / rise) : 1)
  const high = h / 2 - margin(h), periods = seconds * rate.number
  const axis = { d: `M0 ${h / 2}H${w}`, as: "axis" }
  if (periods > ONE_BY_ONE) {
    const edge = (way) => line(120, w, (t) => h / 2 - way * high * depth(t * seconds))
    return { lines: [axis, { d: `${edge(1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: `${edge(-1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: edge(1), as: "main" }, { d: edge(-1), as: "main" }] }
  }
  const d = line(Math.round(Math.max(w, periods * 30)), w, (t) => h / 2 - high * depth(t * seconds) * waveAt(wave.choice, t * periods + (phase?.number ?? 0) / 100))
  return { lines: [axis, { d, as: "main" }] }
}
