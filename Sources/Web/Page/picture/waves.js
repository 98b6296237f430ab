// One period of each wave, as oscillators and LFOs make it: phase 0…1, value −1…1. All begin at the upward zero.

import { svg } from "../element/dom.js"
import { line } from "./path.js"
const noise = (i) => {
  const x = Math.sin(i * 127.1 + 3) * 43758.5453
  return 2 * (x - Math.floor(x)) - 1
}

/** The random numbers of a period, as `hold` and `random` draw them. */
const random = (period) => noise(period + 9)

/** `width` is the width of a square's pulse; `period` counts the periods, for waves that draw random numbers. */
export function waveAt(wave, phase, width = 0.5) {
  const period = Math.floor(phase), p = phase - period
  switch (wave) {
    case "triangle": return 1 - 2 * Math.abs(((p + 0.25) % 1) * 2 - 1)
    case "saw": return p < 0.5 ? 2 * p : 2 * p - 2
    case "down": return 1 - 2 * p
    case "square": return p < width ? 1 : -1
    case "pulse": return p < 0.25 ? 1 : -1
    case "noise": return noise(Math.floor(phase * 48))
    case "hold": return random(period)
    case "random": {
      const way = (1 - Math.cos(Math.PI * p)) / 2
      return random(period) * (1 - way) + random(period + 1) * way
    }
    default: return Math.sin(2 * Math.PI * p)
  }
}

/** Periods shown of waves that change from period to period. */
const PERIODS = { hold: 5, random: 4 }

/** A wave as small as a word. */
export function waveGlyph(wave) {
  const periods = PERIODS[wave] ?? 1.25
  return svg("svg", { class: "glyph", viewBox: "0 0 28 16", "aria-hidden": "true" }, svg("path", { d: line(84, 28, (t) => 8 - 6 * waveAt(wave, t * periods)) }))
}
