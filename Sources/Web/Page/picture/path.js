// Lines of pictures, and the axes that they lie on.

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
