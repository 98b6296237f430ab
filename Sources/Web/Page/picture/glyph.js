// A wave as small as a word.

import { svg } from "../element/dom.js"
import { line } from "./path.js"
import { waveAt } from "./waves.js"

/** Periods shown of waves that change from period to period. */
const PERIODS = { hold: 5, random: 4 }

export function waveGlyph(wave) {
  const periods = PERIODS[wave] ?? 1.25
  return svg("svg", { class: "glyph", viewBox: "0 0 28 16", "aria-hidden": "true" }, svg("path", { d: line(84, 28, (t) => 8 - 6 * waveAt(wave, t * periods)) }))
}
