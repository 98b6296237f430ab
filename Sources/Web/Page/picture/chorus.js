// How the delays of a chorus swing in two seconds, one line for each.

import { line, margin } from "./path.js"

const SECONDS = 2
/** Hertz, milliseconds of swing, and lines of each mode. */
const MODES = {
  i: { hertz: 0.513, depth: 1.9, lines: [0, 0.5] },
  ii: { hertz: 0.863, depth: 1.9, lines: [0, 0.5] },
  "i+ii": { hertz: 9.75, depth: 0.2, lines: [0, 0.5] },
  ensemble: { hertz: 0.6, depth: 1.5, lines: [0, 1 / 3, 2 / 3], fast: 10 },
}

const triangle = (p) => 1 - 2 * Math.abs(2 * (p - Math.floor(p)) - 1)

export function chorus(section, w, h) {
  const [mode, rate, depth, mix] = ["mode", "rate", "depth", "mix"].map((role) => section.knob(role))
  const { hertz, depth: most, lines, fast } = MODES[mode.choice] ?? MODES.i
  // Shallow swings stay visible: the height goes with the root.
  const high = (h / 2 - margin(h)) * Math.sqrt(most / 1.9) * (depth?.at ?? 1) * (0.35 + 0.65 * (mix?.at ?? 1))
  const swing = (phase) => (fast ? (Math.sin(2 * Math.PI * phase) + 0.1 * Math.sin(2 * Math.PI * phase * fast)) / 1.1 : triangle(phase))
  const d = (phase) => line(240, w, (t) => h / 2 - high * swing(t * SECONDS * hertz * (rate?.number ?? 1) + phase))
  return { lines: [{ d: `M0 ${h / 2}H${w}`, as: "axis" }, ...lines.map((phase, index) => ({ d: d(phase), as: index ? "reach" : "main" }))] }
}
