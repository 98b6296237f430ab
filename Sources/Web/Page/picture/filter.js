// The filter over frequency: cutoff across, resonance upwards; dashed, the filter as the envelope opens it.

import { clamp, grid, gridWords, hertzAt, line, xOf } from "./path.js"
import { filterResponse } from "./response.js"

/** Decibels at the upper edge, and between the edges. */
const HIGHEST = 24, RANGE = 72

export function filter(section, w, h) {
  const [cutoff, resonance, mode, slope, character, highpass, amount] = ["cutoff", "resonance", "mode", "slope", "character", "highpass", "amount"].map((role) => section.knob(role))
  const y = (level) => clamp(((HIGHEST - level) / RANGE) * h, 2, h + 20)
  const shape = {
    resonance: resonance.at, mode: mode?.number ?? 0, isShort: slope?.choice === "12", character: character?.choice,
    highpass: highpass && highpass.at > 0 ? highpass.number : 0,
  }
  const at = (hertz, cut) => y(filterResponse(hertz, { ...shape, cutoff: cut }))
  // A comb has many narrow peaks.
  const response = (cut) => line(Math.round(shape.character === "comb" ? 4 * w : w), w, (t) => at(hertzAt(t * w, w), cut))
  const opened = clamp(cutoff.number * 2 ** (amount?.number ?? 0), 20, 20000)
  const main = response(cutoff.number), x = xOf(cutoff.number, w)
  const isOpened = Math.abs(amount?.number ?? 0) > 0.02
  const far = xOf(opened, w)
  return {
    lines: [
      ...grid(w, h, y, [12, 0, -12, -24, -36]),
      { d: `${main}L${w} ${h}L0 ${h}Z`, as: "area" },
      isOpened && { d: response(opened), as: "reach" },
      { d: main, as: "main" },
    ].filter(Boolean),
    words: [...gridWords(w, h), ...[0, -24].map((level) => ({ x: 6, y: y(level) - 4, text: `${level || "0"} dB`.replace("-", "−") }))],
    notes: isOpened && Math.abs(far - x) > 150 ? [{ x: far + (far > x ? -14 : 14), y: y(-7), text: `the envelope ${far > x ? "opens" : "closes"} it to here`, anchor: far > x ? "end" : "start" }] : [],
    grips: [{
      x, y: clamp(at(cutoff.number, cutoff.number), 12, h - 12), text: "cutoff", knobs: [cutoff, resonance],
      move: (dx, dy) => { cutoff.set(cutoff.at + dx / w); resonance.set(resonance.at - dy / (h * 0.8)) },
    }],
  }
}
