// The rhythm of an arpeggio: a bar for each stroke, higher where it is accented, wider where it is tied.

import { margin } from "./path.js"

/** Heights of strokes, and the strokes of a step. */
const USUAL = 0.6
const STROKES = { double: 2, triple: 3, quad: 4 }

export function rhythm(section, w, h) {
  const steps = section.all.filter((knob) => knob.kind === "choice").slice(0, Math.round(section.knob("steps").number))
  const pad = margin(h), floor = h - pad, width = (w - 2 * pad) / steps.length
  const bar = (x, wide, high) => `M${x.toFixed(1)} ${floor}v${(-high * (floor - pad)).toFixed(1)}h${wide.toFixed(1)}V${floor}Z`
  const bars = steps.flatMap(({ choice }, index) => {
    const x = pad + index * width
    if (choice === "rest") return []
    if (choice === "tie") return [bar(x - width * 0.2, width, USUAL / 3)]
    if (choice === "chord") return [0, 1, 2].map((note) => bar(x, width * 0.8, USUAL * (1 - note / 3)))
    const strokes = STROKES[choice] ?? 1
    return Array.from({ length: strokes }, (_, stroke) => bar(x + (stroke * width) / strokes, (width * 0.8) / strokes, choice === "accent" ? 1 : USUAL))
  })
  const d = bars.join("")
  return { lines: [{ d: `M0 ${floor}H${w}`, as: "axis" }, { d, as: "area" }, { d, as: "main" }] }
}
