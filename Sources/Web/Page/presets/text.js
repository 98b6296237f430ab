// The text of a preset: its description, and the positions of its knobs.

import { app } from "../app.js"
import { positionOf } from "../model/numbers.js"
import { placeOf } from "./library.js"

const texts = new WeakMap()
/** The most texts that are requested at a time. */
const MOST = 4
let running = 0
const waiting = []

/** The text of a preset, read once. */
export function textOf(preset) {
  if (!texts.has(preset)) {
    const promise = queued(async () => (await app.questions.ask("/presets/show", placeOf(preset)))[0])
    promise.catch(() => texts.delete(preset))
    texts.set(preset, promise)
  }
  return texts.get(preset)
}

/** Forgets the text of a preset that was saved anew. */
export const forgetText = (preset) => texts.delete(preset)

async function queued(work) {
  if (running >= MOST) await new Promise((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** The name and the description in a text, by the first words of their lines. */
export function head(text) {
  const words = {}
  for (const line of text.split("\n")) {
    const found = /^(name|category|tags|author|about|notes) (.*)$/.exec(line)
    if (found) words[found[1]] = found[2]
  }
  return words
}

/** The positions of the knobs that a text names, by their addresses. */
export function positions(text) {
  const at = new Map()
  for (const line of text.split("\n")) {
    if (!line.startsWith("/")) continue
    const space = line.indexOf(" ")
    const [address, value] = [line.slice(0, space), line.slice(space + 1).trim()]
    const knob = app.tree.knobs.get(address) ?? app.tree.knobs.get(address.slice(0, address.lastIndexOf("/")))
    if (!knob) continue
    if (knob.kind === "choice") at.set(knob.address, Math.max(0, knob.choices.indexOf(value)))
    else if (knob.kind === "toggle") at.set(knob.address, value === "on" || value === "1" ? 1 : 0)
    else at.set(knob.address, positionOf(Number(value), knob))
  }
  return at
}

/** A knob with its position in a text. `redraw` is called when a picture of it has more to show. */
export const frozenKnob = (knob, at, redraw = () => {}) => knob && Object.create(knob, { at: { value: at.get(knob.address) ?? knob.initialAt }, notify: { value: redraw } })

/** A section with the knob positions of a text, for pictures. */
export function frozen(section, at, redraw) {
  const still = (knob) => frozenKnob(knob, at, redraw)
  return { knob: (role) => still(section.knob(role)), get all() { return section.all.map(still) } }
}
