// Pictures of the effects in time: reverb, chorus, phaser, flanger and delay.

import { clamp, line, margin, xOf } from "./path.js"

/** Seconds of a tail and of a swing that are shown. */
const TAIL = 4, SWING = 2

/** The decay of a reverb: solid for the middle of the spectrum, dashed for its low and its high end. */
export function reverb(section, w, h) {
  const [predelay, decay, mix, low, high, freeze] = ["predelay", "decay", "mix", "low", "high", "freeze"].map((role) => section.knob(role))
  const pad = margin(h), floor = h - pad
  const seconds = Math.max(TAIL, decay.number * 0.75)
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

/** Octaves of a full sweep to either side, seconds that are shown, and sweeps that are shown if the tempo gives the rate. */
const OCTAVES = 2, SWEEP = 4, SYNCED = 2

/** The notches of a phaser: solid those of the left side, dashed those of the right. */
export function phaser(section, w, h) {
  const [stages, rate, sync, depth, frequency, spread] = ["stages", "rate", "sync", "depth", "frequency", "spread"].map((role) => section.knob(role))
  const count = stages?.number ?? 6, sweeps = sync && sync.choice !== "off" ? SYNCED : SWEEP * rate.number
  const y = (hertz) => h - clamp(xOf(hertz, h), margin(h), h - margin(h))
  const steps = Math.min(600, Math.max(120, Math.round(40 * sweeps)))
  const notch = (angle, phase) => line(steps, w, (t) => y(frequency.number * Math.tan(angle / 2) * 2 ** (OCTAVES * depth.at * Math.sin(2 * Math.PI * (t * sweeps + phase)))))
  const angles = Array.from({ length: Math.floor(count / 2) }, (_, index) => ((2 * index + 1) * Math.PI) / count)
  const side = (phase) => angles.map((angle) => notch(angle, phase)).join("")
  return { lines: [{ d: `M0 ${y(1000)}H${w}`, as: "axis" }, ...((spread?.at ?? 0) > 0.02 ? [{ d: side(spread.at / 2), as: "reach" }] : []), { d: side(0), as: "main" }] }
}

/** The shortest and the longest delay of a flanger in milliseconds, and the notches that are drawn at most. */
const SHORTEST = 0.1, LONGEST = 10, NOTCHES = 8

/** The lowest notches of a flanger: solid those of the left side, dashed those of the right. */
export function flanger(section, w, h) {
  const [rate, depth, delay, spread] = ["rate", "depth", "delay", "spread"].map((role) => section.knob(role))
  const sweeps = SWEEP * rate.number, middle = Math.log2(clamp(1000 * (delay?.number ?? 0.002), SHORTEST, LONGEST)), reach = OCTAVES * depth.at
  // A sweep that would leave the range is narrower to that side.
  const [low, high] = [Math.max(middle - reach, Math.log2(SHORTEST)), Math.min(middle + reach, Math.log2(LONGEST))]
  const hertz = (t, phase) => 1000 / 2 ** ((low + high) / 2 + ((high - low) / 2) * Math.sin(2 * Math.PI * (t * sweeps + phase)))
  const y = (frequency) => h - clamp(xOf(frequency, h), margin(h), h - margin(h))
  const steps = Math.min(600, Math.max(120, Math.round(40 * sweeps)))
  const side = (phase) => Array.from({ length: NOTCHES }, (_, index) => line(steps, w, (t) => y((index + 0.5) * hertz(t, phase)))).join("")
  return { lines: [{ d: `M0 ${y(1000)}H${w}`, as: "axis" }, ...((spread?.at ?? 0) > 0.02 ? [{ d: side(spread.at / 2), as: "reach" }] : []), { d: side(0), as: "main" }] }
}

/** Hertz, milliseconds of swing, and lines of each mode. */
const MODES = {
  i: { hertz: 0.513, depth: 1.9, lines: [0, 0.5] },
  ii: { hertz: 0.863, depth: 1.9, lines: [0, 0.5] },
  "i+ii": { hertz: 9.75, depth: 0.2, lines: [0, 0.5] },
  ensemble: { hertz: 0.6, depth: 1.5, lines: [0, 1 / 3, 2 / 3], fast: 10 },
}

const triangle = (p) => 1 - 2 * Math.abs(2 * (p - Math.floor(p)) - 1)

/** How the delays of a chorus swing, one line for each. */
export function chorus(section, w, h) {
  const [mode, rate, depth, mix] = ["mode", "rate", "depth", "mix"].map((role) => section.knob(role))
  const { hertz, depth: most, lines, fast } = MODES[mode.choice] ?? MODES.i
  // The height is the square root of the depth, so that shallow swings stay visible.
  const high = (h / 2 - margin(h)) * Math.sqrt(most / 1.9) * (depth?.at ?? 1) * (0.35 + 0.65 * (mix?.at ?? 1))
  const swing = (phase) => (fast ? (Math.sin(2 * Math.PI * phase) + 0.1 * Math.sin(2 * Math.PI * phase * fast)) / 1.1 : triangle(phase))
  const d = (phase) => line(240, w, (t) => h / 2 - high * swing(t * SWING * hertz * (rate?.number ?? 1) + phase))
  return { lines: [{ d: `M0 ${h / 2}H${w}`, as: "axis" }, ...lines.map((phase, index) => ({ d: d(phase), as: index ? "reach" : "main" }))] }
}

/** Ratios of the right side's time, and the quietest echo that is drawn. */
const RATIOS = { "1/1": 1, "3/4": 0.75, "2/3": 2 / 3, "1/2": 0.5 }
const QUIETEST = 0.02, MOST = 64

/** The echoes of one stroke: left upwards, right downwards. */
export function delay(section, w, h) {
  const [time, feedback, mix, ratio, pingpong, sync] = ["time", "feedback", "mix", "ratio", "pingpong", "sync"].map((role) => section.knob(role))
  const isSynced = sync && sync.at > 0
  const seconds = isSynced ? 1 : time.number
  const left = Math.min(8, w * 0.05), middle = h / 2, span = seconds * 6
  const wet = 0.25 + 0.75 * (mix?.at ?? 1), again = Math.min(0.99, (feedback?.number ?? 0) / 100)
  const taps = (step, side) => {
    let d = "", level = wet, from = side
    for (let n = 1; n <= MOST && n * step < span && level > QUIETEST; n++, level *= again) {
      d += `M${(left + ((n * step) / span) * (w - 2 * left)).toFixed(1)} ${middle}v${(-from * level * middle * 0.88).toFixed(1)}`
      if (pingpong?.isOn) from = -from
    }
    return d
  }
  const words = isSynced ? `every ${sync.choice}` : ""
  return {
    lines: [
      { d: `M0 ${middle}H${w}`, as: "axis" }, { d: `M${left} ${h * 0.08}V${h * 0.92}`, as: "bar dry" },
      { d: taps(seconds, 1), as: "bar" }, { d: taps(seconds * (RATIOS[ratio?.choice] ?? 1), -1), as: "bar second" },
    ],
    words: [{ x: left + 10, y: 17, text: "left" }, { x: left + 10, y: h - 9, text: "right" }, words && { x: w - 8, y: 17, text: words, anchor: "end" }].filter(Boolean),
  }
}
