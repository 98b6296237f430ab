// Lines of pictures, the axes that they lie on, and the waves of oscillators and LFOs.

import { svg } from "../element/dom.js"

/** A number within its ends. */
export const clamp = (number, low = 0, high = 1) => Math.min(high, Math.max(low, number))

/** A line through y(t), t from 0 to 1 in `count` steps over a width, from x. */
export function line(count, width, yOf, x = 0) {
  let d = ""
  for (let i = 0; i <= count; i++) d += `${i ? "L" : "M"}${(x + (i / count) * width).toFixed(1)} ${yOf(i / count).toFixed(1)}`
  return d
}

/** An axis of frequencies, 20 Hz to 20 kHz. */
const LOWEST = 20, SPAN = Math.log(1000)
export const xOf = (hertz, width) => (Math.log(hertz / LOWEST) / SPAN) * width
export const hertzAt = (x, width) => LOWEST * Math.exp((x / width) * SPAN)

/** Lines at the decades, and at some levels. */
export function grid(w, h, y, levels) {
  return [
    { d: [100, 1000, 10000].map((hertz) => `M${xOf(hertz, w).toFixed(1)} 0V${h}`).join(""), as: "grid" },
    { d: levels.map((level) => `M0 ${y(level).toFixed(1)}H${w}`).join(""), as: "grid" },
  ]
}

/** The words at the decades. */
export const gridWords = (w, h) => [[100, "100"], [1000, "1k"], [10000, "10k"]].map(([hertz, text]) => ({ x: xOf(hertz, w) + 4, y: h - 6, text }))

/** The distance that a wave keeps from the edge. */
export const margin = (h) => Math.min(12, h * 0.12)

const noise = (i) => {
  const x = Math.sin(i * 127.1 + 3) * 43758.5453
  return 2 * (x - Math.floor(x)) - 1
}

/** The random numbers of a period, as `hold` and `random` draw them. */
const random = (period) => noise(period + 9)

/** A triangle with its peak at a phase of -1…1. */
const trisaw = (s, peak) => Math.sign(s) * Math.min(Math.abs(s) / peak, (1 - Math.abs(s)) / (1 - peak))

/** `width` is the width of a square's pulse, and the peak of a trisaw; `period` counts the periods, for waves that draw random numbers. */
export function waveAt(wave, phase, width = 0.5) {
  const period = Math.floor(phase), p = phase - period
  switch (wave) {
    case "triangle": return 1 - 2 * Math.abs(((p + 0.25) % 1) * 2 - 1)
    case "saw": return p < 0.5 ? 2 * p : 2 * p - 2
    case "down": return 1 - 2 * p
    case "trisaw": return trisaw(2 * p < 1 ? 2 * p : 2 * p - 2, width)
    case "square": return p < width ? 1 : -1
    case "pulse": return p < 0.25 ? 1 : -1
    case "noise": return noise(Math.floor(phase * 48))
    // For the glyph only: a wave that no other choice has.
    case "wavetable": return 0.62 * (Math.sin(2 * Math.PI * p) + 0.7 * Math.sin(6 * Math.PI * p) * p)
    case "steps": return Math.floor(p * 16) / 7.5 - 1
    case "hold": return random(period)
    case "random": {
      const way = (1 - Math.cos(Math.PI * p)) / 2
      return random(period) * (1 - way) + random(period + 1) * way
    }
    default: return Math.sin(2 * Math.PI * p)
  }
}

/** The value of an LFO, whose noise is a line through sixteen numbers a period; `steps` are those of the sound. */
export function lfoAt(wave, phase, steps) {
  const position = 16 * phase, index = Math.floor(position)
  switch (wave) {
    case "noise": return noise(index) + (noise(index + 1) - noise(index)) * (position - index)
    case "steps": return steps[index % 16] ?? 0
    default: return waveAt(wave, phase)
  }
}

/** Periods shown of waves that change from period to period. */
const PERIODS = { hold: 5, random: 4 }

/** A wave as small as a word. */
export function waveGlyph(wave) {
  const periods = PERIODS[wave] ?? 1.25
  return svg("svg", { class: "glyph", viewBox: "0 0 28 16", "aria-hidden": "true" }, svg("path", { d: line(84, 28, (t) => 8 - 6 * waveAt(wave, t * periods)) }))
}
