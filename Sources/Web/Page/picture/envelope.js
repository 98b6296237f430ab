// An envelope with its stages to drag: A across, D S across and upwards, R across.

import { margin } from "./path.js"

/** Share of the width of a stage whose knob is turned up, and of the key that is held at the sustain. */
const SHARES = { delay: 0.1, attack: 0.26, hold: 0.1, decay: 0.34, release: 0.26 }
const HELD = 0.1
/** Widths grow with this power of the knob, so that short times can be told apart. */
const POWER = 0.75
/** Points of one stage. */
const POINTS = 32

export function envelope(section, w, h) {
  const knobs = Object.fromEntries(["delay", "attack", "hold", "decay", "sustain", "release", "curve", "loop"].map((role) => [role, section.knob(role)]))
  const pad = margin(h), [top, floor] = [pad, h - pad], high = floor - top
  const left = Math.min(12, w * 0.04)
  const curve = (knobs.curve?.number ?? 0) / 100
  const waits = [knobs.delay, knobs.hold].filter((knob) => knob?.at > 0).length
  const room = (w - 2 * left) / (1 + 0.1 * waits - 0.04)
  const width = (knob) => (knob ? SHARES[knob.role] * knob.at ** POWER * room : 0)
  const xs = [left]
  for (const part of [knobs.delay, knobs.attack, knobs.hold, knobs.decay]) xs.push(xs.at(-1) + width(part))
  const [, rises, tops, falls, rests] = xs
  const up = rests + HELD * room, ends = up + width(knobs.release)
  const sustain = knobs.sustain.at, y = (level) => floor - high * level

  const stage = (from, to, level) => {
    let d = ""
    for (let i = 1; i <= POINTS; i++) d += `L${(from + ((to - from) * i) / POINTS).toFixed(1)} ${y(level(i / POINTS)).toFixed(1)}`
    return d
  }
  const d = `M${left} ${floor}H${rises.toFixed(1)}` + stage(rises, tops, (x) => rise(x, curve)) + `L${tops.toFixed(1)} ${top}H${falls.toFixed(1)}` +
    stage(falls, rests, (x) => sustain + (1 - sustain) * fall(x, curve)) + `H${up.toFixed(1)}` + stage(up, ends, (x) => sustain * release(x, curve))

  const pull = (knob, dx) => knob.set(Math.max(0, knob.at ** POWER + dx / (SHARES[knob.role] * room)) ** (1 / POWER))
  const levelAtEnd = sustain + (1 - sustain) * fall(1, curve)
  return {
    lines: [
      { d: `M${left} ${floor}H${(w - left).toFixed(1)}`, as: "axis" },
      { d: `${d}L${left} ${floor}Z`, as: "area" },
      { d: `M${up.toFixed(1)} ${top}V${floor}`, as: "mark" },
      knobs.loop?.isOn && { d: `M${rests.toFixed(1)} ${top - 4}H${rises.toFixed(1)}m5 -4l-5 4l5 4`, as: "reach" },
      { d, as: "main" },
    ].filter(Boolean),
    words: [{ x: up + 5, y: top + 9, text: "key up" }],
    grips: [
      { x: tops, y: top, text: "A", knobs: [knobs.attack], move: (dx) => pull(knobs.attack, dx) },
      { x: rests, y: y(levelAtEnd), text: "D S", knobs: [knobs.decay, knobs.sustain], move: (dx, dy) => { pull(knobs.decay, dx); knobs.sustain.set(knobs.sustain.at - dy / high) } },
      { x: ends, y: floor, text: "R", knobs: [knobs.release], move: (dx) => pull(knobs.release, dx) },
    ],
  }
}

/** Halvings of an attack, which aims above the top, and of falls, which end 60 dB down. */
const ATTACK = 2.11547722, FALL = 9.96578428, RELEASE = 9.82842519
/** The most halvings of a curve that begins slowly, and the fewest that differ from a straight line. */
const SLOWEST = 4, STRAIGHT = 0.05
/** Where a fall ends. */
const FALLEN = 0.001

/** The halvings for the curve of a knob, −1…1. */
const bent = (halvings, curve) => (curve < -0.5 ? Math.min(halvings, SLOWEST) : halvings) * (1 + 2 * curve)

const covered = (x, h) => (Math.abs(h) < STRAIGHT ? x : (1 - 2 ** (-h * x)) / (1 - 2 ** -h))

/** Level during an attack from 0. */
const rise = (x, curve) => covered(x, bent(ATTACK, curve))

/** What is left of the distance during a decay. */
const fall = (x, curve) => left(x, bent(FALL, curve), curve)

/** What is left of the level during a release. */
const release = (x, curve) => left(x, bent(RELEASE, curve), curve)

/** From curve 0 on, a fall goes on beyond its end. */
const left = (x, h, curve) => (curve >= 0 ? 2 ** (-h * x) : 1 - (1 - FALLEN) * covered(x, h))
