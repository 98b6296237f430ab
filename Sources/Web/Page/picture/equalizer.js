// The equalizer over frequency: each band a disc; across is its frequency, upwards its gain, the wheel its Q.

import { positionOf } from "../model/numbers.js"
import { clamp, grid, gridWords, hertzAt, line, xOf } from "./path.js"
import { bandResponse } from "./response.js"

/** Decibels from the middle to an edge. */
const RANGE = 22

export function equalizer(section, w, h) {
  const y = (level) => clamp(h / 2 - (level / RANGE) * (h / 2 - 8), 3, h - 3)
  const bands = section.bands.filter((band) => band.frequency && band.gain)
  const models = bands.map((band, index) => ({
    kind: band.q ? "bell" : index === 0 ? "low" : "high",
    frequency: band.frequency.number, gain: band.gain.number, q: band.q?.number,
  }))
  const main = line(Math.round(w / 2), w, (t) => y(models.reduce((sum, model) => sum + bandResponse(hertzAt(t * w, w), model), 0)))
  const perDecibel = (h / 2 - 8) / RANGE
  return {
    lines: [...grid(w, h, y, [12, -12]), { d: `M0 ${y(0)}H${w}`, as: "axis" }, { d: `${main}L${w} ${y(0)}L0 ${y(0)}Z`, as: "area" }, { d: main, as: "main" }],
    words: gridWords(w, h),
    grips: bands.map((band) => ({
      x: xOf(band.frequency.number, w), y: y(band.gain.number), isDisc: true,
      text: bands.length < 2 ? "" : /^\d/.test(band.name) ? band.name : band.name[0].toUpperCase(), knobs: [band.frequency, band.gain],
      move(dx, dy) {
        const { frequency, gain } = band
        frequency.set(positionOf(hertzAt(xOf(frequency.number, w) + dx, w), frequency))
        gain.set(gain.at - dy / ((gain.high - gain.low) * perDecibel))
      },
      wheel: band.q,
    })),
  }
}
