// The waves of oscillators and LFOs.

import { app } from "../app.js"
import { clamp, lfoAt, line, margin, waveAt } from "./path.js"
import { framesOf, tableAt } from "./wavetable.js"

/** Detuning of the voices of a unison, as the engine spreads them. */
const OFFSETS = [[], [0], [-1.024, 1], [0, 1, -1.024], [0.31, 1, -1.024, -0.34], [0, 1, -1.024, -0.44, 0.42], [0.19, 1, -1.024, -0.585, 0.579, -0.2], [0, 1, -1.024, -0.585, 0.579, -0.182, 0.185]]
/** Periods at octave 0, and how many can be told apart. */
const PERIODS = 2, MOST = 16
/** Periods of an LFO without a delay, and the most that are drawn one by one. */
const SHOWN = 2.5, ONE_BY_ONE = 48

/** The wave of an oscillator: its form, its octave, its level, and the voices of its unison. */
export function oscillator(section, w, h) {
  const [wave, level, width, octave, unison, detune, table] = ["wave", "level", "width", "octave", "unison", "detune", "table"].map((role) => section.knob(role))
  const periods = clamp(PERIODS * 2 ** (octave?.number ?? 0), 0.25, MOST)
  const high = (h / 2 - margin(h)) * (0.1 + 0.9 * (level?.at ?? 1))
  const count = Math.round(Math.max(w, periods * 24))
  const share = (width?.number ?? 50) / 100
  const frames = wave.choice === "wavetable" && table ? framesOf(table.choice, () => table.notify()) : undefined
  const at = (phase) => (frames ? tableAt(frames, phase, share) : waveAt(wave.choice, phase, share))
  const voice = (cents) => line(count, w, (t) => h / 2 - high * at(t * periods * (1 + cents / 1200)))
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

/** The distance from the end of its period, in periods, at which an LFO that runs once stops, before a jump. */
const NEAR_END = 1e-6

/** An LFO from the beginning of a note on: its wave, its phase, its delay and its fade, and whether it runs once. */
export function lfo(section, w, h) {
  const [wave, rate, phase, delay, fade, mode] = ["wave", "rate", "phase", "delay", "fade", "mode"].map((role) => section.knob(role))
  const wait = delay?.number ?? 0, rise = fade?.number ?? 0
  const seconds = SHOWN / rate.number + (wait + rise) * 1.2
  const depth = (t) => (t < wait ? 0 : rise > 0 ? clamp((t - wait) / rise) : 1)
  const high = h / 2 - margin(h), periods = seconds * rate.number
  const axis = { d: `M0 ${h / 2}H${w}`, as: "axis" }
  const isOnce = mode?.choice === "once"
  const first = (phase?.number ?? 0) / 100
  const steps = wave.choice === "steps" ? app.tree.section("lfo-steps").all.map((knob) => knob.number / 100) : []
  // The period of one that runs once begins after the delay.
  const phaseAt = (t) => first + (isOnce ? clamp((t - wait) * rate.number, 0, 1 - NEAR_END) : t * rate.number)
  if (periods > ONE_BY_ONE && !isOnce) {
    const edge = (way) => line(120, w, (t) => h / 2 - way * high * depth(t * seconds))
    return { lines: [axis, { d: `${edge(1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: `${edge(-1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: edge(1), as: "main" }, { d: edge(-1), as: "main" }] }
  }
  const d = line(Math.round(Math.max(w, Math.min(periods, ONE_BY_ONE) * 30)), w, (t) => h / 2 - high * depth(t * seconds) * lfoAt(wave.choice, phaseAt(t * seconds), steps))
  return { lines: [axis, { d, as: "main" }] }
}
