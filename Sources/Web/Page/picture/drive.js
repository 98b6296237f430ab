// The transfer curve of the drive: input across, output upwards; dotted, the curve without it.

import { clamp, line, margin } from "./path.js"

/** Make-up gains in decibels at steps of six decibels of gain, as the engine keeps the loudness. */
const KEPT = {
  soft: [0.06, -5.77, -11.08, -14.77, -16.64, -17.57, -18.08],
  asymmetric: [0.42, -5.04, -9.66, -13.32, -15.83, -17.38, -18.04],
  hard: [0, -6, -11.72, -15.25, -16.89, -17.7, -18.15],
  power: [-0.01, -7.39, -13.08, -17.1, -19.51, -20.35, -19.71],
  fold: [0.27, -5.45, -10.86, -15.61, -18.77, -19.88, -20.76],
}
const factor = (decibels) => 10 ** (decibels / 20)

/** A cubic that is flat beyond a bound of 1.5. */
const soft = (u) => { const x = clamp(u, -1.5, 1.5); return x - (4 / 27) * x ** 3 }
/** A sine made of parabolas, which folds back without end. */
const fold = (u) => { const p = u / (2 * Math.PI), s = p - 2 * Math.round(p / 2); return 2 * Math.PI * s * (1 - Math.abs(s)) }

const CURVES = {
  soft: () => soft,
  asymmetric: (gain) => { const bias = Math.min(1.2, 0.3 * Math.sqrt(factor(gain))); return (u) => soft(u + bias) - soft(bias) },
  hard: () => (u) => clamp(u, -1, 1),
  fold: () => fold,
  power: (gain) => (u) => Math.sign(u) * Math.abs(u) ** (1 - gain / 40),
}

export function drive(section, w, h) {
  const [shape, gain, mix] = ["shape", "gain", "mix"].map((role) => section.knob(role))
  const curve = (CURVES[shape.choice] ?? CURVES.soft)(gain.number)
  const table = KEPT[shape.choice] ?? KEPT.soft
  const step = Math.min(table.length - 2, Math.floor(gain.number / 6)), way = gain.number / 6 - step
  const kept = factor(table[step] + way * (table[step + 1] - table[step])), into = factor(gain.number)
  const out = (x) => (1 - mix.at) * x + mix.at * kept * curve(into * x)
  let most = 0.05
  for (let i = -32; i <= 32; i++) most = Math.max(most, Math.abs(out(i / 32)))
  const high = h / 2 - margin(h), y = (value) => h / 2 - (high / most) * value
  return {
    lines: [
      { d: `M0 ${h / 2}H${w}M${w / 2} ${margin(h)}V${h - margin(h)}`, as: "axis" },
      { d: line(2, w, (t) => y(clamp(2 * t - 1, -most, most))), as: "mark" },
      { d: line(160, w, (t) => y(out(2 * t - 1))), as: "main" },
    ],
  }
}
