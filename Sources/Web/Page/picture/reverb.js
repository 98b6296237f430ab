// How a reverb dies away: in the middle, and dashed below and above.

import { line, margin } from "./path.js"

const SECONDS = 4

export function reverb(section, w, h) {
  const [predelay, decay, mix, low, high, freeze] = ["predelay", "decay", "mix", "low", "high", "freeze"].map((role) => section.knob(role))
  const pad = margin(h), floor = h - pad
  const seconds = Math.max(SECONDS, decay.number * 0.75)
  const start = pad + ((predelay?.number ?? 0) / seconds) * (w - 2 * pad), room = w - pad - start
  const top = (floor - pad) * (0.3 + 0.7 * (mix?.at ?? 1))
  const left = (room / (w - 2 * pad)) * seconds
  const tail = (length) => line(90, room, (t) => floor - top * 10 ** ((-3 * t * left) / (freeze?.isOn ? 1e6 : length)), start)
  const main = tail(decay.number)
  return {
    lines: [
      { d: `M0 ${floor}H${w}`, as: "axis" },
      { d: `${main}V${floor}H${start.toFixed(1)}Z`, as: "area" },
      ...[low, high].filter((knob) => knob && Math.abs(knob.number - 1) > 0.02).map((knob) => ({ d: tail(decay.number * knob.number), as: "reach" })),
      { d: `M${start.toFixed(1)} ${floor}V${(floor - top).toFixed(1)}${main.replace("M", "L")}`, as: "main" },
    ],
    words: [{ x: w - 8, y: floor - 6, text: `${seconds.toFixed(0)} s`, anchor: "end" }],
  }
}
