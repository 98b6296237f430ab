// An LFO from the beginning of a note on: its wave, its phase, its delay and its fade.

import { clamp, line, margin } from "./path.js"
import { waveAt } from "./waves.js"

/** Periods shown without a delay, and the most that are drawn one by one. */
const PERIODS = 2.5, MOST = 48

export function lfo(section, w, h) {
  const [wave, rate, phase, delay, fade] = ["wave", "rate", "phase", "delay", "fade"].map((role) => section.knob(role))
  const wait = delay?.number ?? 0, rise = fade?.number ?? 0
  const seconds = PERIODS / rate.number + (wait + rise) * 1.2
  const depth = (t) => (t < wait ? 0 : rise > 0 ? clamp((t - wait) / rise) : 1)
  const high = h / 2 - margin(h), periods = seconds * rate.number
  const axis = { d: `M0 ${h / 2}H${w}`, as: "axis" }
  if (periods > MOST) {
    const edge = (way) => line(120, w, (t) => h / 2 - way * high * depth(t * seconds))
    return { lines: [axis, { d: `${edge(1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: `${edge(-1)}L${w} ${h / 2}L0 ${h / 2}Z`, as: "area" }, { d: edge(1), as: "main" }, { d: edge(-1), as: "main" }] }
  }
  const d = line(Math.round(Math.max(w, periods * 30)), w, (t) => h / 2 - high * depth(t * seconds) * waveAt(wave.choice, t * periods + (phase?.number ?? 0) / 100))
  return { lines: [axis, { d, as: "main" }] }
}
