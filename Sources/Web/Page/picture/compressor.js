// The transfer curve of a compressor in decibels: input across, output upwards; dotted, the curve without it. If the
// beat ducks the sound: its level over four beats.

import { clamp, line, margin } from "./path.js"

/** The lowest level that is shown, half of the knee's width, and the beats that are shown. */
const LOWEST = -60, KNEE = 3, BEATS = 4

/** The reduction of a level. */
function reduction(level, threshold, ratio) {
  const over = level - threshold, slope = 1 - 1 / ratio
  return slope * (over >= KNEE ? over : over <= -KNEE ? 0 : (over + KNEE) ** 2 / (4 * KNEE))
}

/** The length in beats of a choice such as "beat-1/8d"; undefined for a choice without a beat. */
function beatsOf(choice) {
  const note = /^beat-1\/(\d+)([dt]?)$/.exec(choice ?? "")
  return note && (4 / note[1]) * ({ d: 1.5, t: 2 / 3 }[note[2]] ?? 1)
}

/** The share of the depth at a beat: an S-curve over the length. */
const share = (beat, length) => { const left = clamp(1 - (beat % Math.max(1, length)) / length); return left * left * (3 - 2 * left) }

export function compressor(section, w, h) {
  const [threshold, ratio, mix, source] = ["threshold", "ratio", "mix", "source"].map((role) => section.knob(role))
  const pad = margin(h), y = (level) => pad + (clamp(level, LOWEST, 0) / LOWEST) * (h - 2 * pad)
  const mixed = (decibels) => 20 * Math.log10(1 - (mix?.at ?? 1) * (1 - 10 ** (-decibels / 20)))
  const length = beatsOf(source?.choice), input = (t) => LOWEST * (1 - t)
  const out = (level) => level + mixed(reduction(level, threshold.number, ratio.number))
  if (length) {
    const depth = reduction(0, threshold.number, ratio.number)
    const beats = Array.from({ length: BEATS }, (_, beat) => `M${((beat / BEATS) * w).toFixed(1)} 0V${h}`).join("")
    return { lines: [{ d: beats, as: "grid" }, { d: line(320, w, (t) => y(mixed(depth * share(t * BEATS, length)))), as: "main" }] }
  }
  return { lines: [{ d: line(2, w, (t) => y(input(t))), as: "mark" }, { d: line(160, w, (t) => y(out(input(t)))), as: "main" }] }
}
