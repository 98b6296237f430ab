// The levels of the rotors of a rotary speaker at the microphones, over a second: solid, the horn at the left one;
// dashed, the horn at the right one; dotted, the drum at the left one.

import { line, margin } from "./path.js"

/** Turns of horn and drum in a second. */
const SPEEDS = { stop: [0, 0], slow: [0.672, 0.6], fast: [7.056, 5.955] }

/** Levels behind the rotors, of those in front of them, and the seconds that are shown. */
const BEHIND = { horn: 10 ** (-11 / 20), drum: 0.5 }, SECONDS = 1

/** The gain of one of both for its side of the balance. */
const share = (side) => { const x = Math.min(1, side); return x * (2 - x) }

export function rotary(section, w, h) {
  const [speed, rate, horn, spread, mix] = ["speed", "rate", "horn", "spread", "mix"].map((role) => section.knob(role))
  const [hornHertz, drumHertz] = (SPEEDS[speed.choice] ?? SPEEDS.slow).map((hertz) => hertz * (rate?.number ?? 1))
  const pad = margin(h), floor = h - pad, away = (spread?.at ?? 1) / 4, balance = 2 * (horn?.at ?? 0.5)
  const top = (floor - pad) * (0.35 + 0.65 * (mix?.at ?? 1))
  const level = (hertz, side, behind, gain) =>
    line(240, w, (t) => floor - top * gain * (behind + ((1 - behind) * (1 + Math.cos(2 * Math.PI * (t * SECONDS * hertz - side * away)))) / 2))
  const hornAt = (side) => level(hornHertz, side, BEHIND.horn, share(balance))
  return {
    lines: [
      { d: `M0 ${floor}H${w}`, as: "axis" },
      { d: level(drumHertz, 1, BEHIND.drum, share(2 - balance)), as: "mark" },
      ...(away > 0.005 ? [{ d: hornAt(-1), as: "reach" }] : []),
      { d: hornAt(1), as: "main" },
    ],
  }
}
