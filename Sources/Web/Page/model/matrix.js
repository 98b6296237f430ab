// The modulation matrix: slots of source, amount, target and scale, found by the last words of their addresses.

import { choiceName } from "./numbers.js"

const ROLES = ["source", "amount", "target", "scale"]

export class Matrix {
  constructor(node, knobs) {
    const { SOURCES = {}, TARGETS = {} } = node ?? {}
    /** Hue of each source, and address of each target that is a knob. */
    Object.assign(this, { sources: SOURCES, targets: TARGETS, knobs })
    this.slots = [...knobs.values()].filter((knob) => knob.role === "source").map((knob) => {
      const stem = knob.address.slice(0, -"source".length)
      return Object.fromEntries(ROLES.map((role) => [role, knobs.get(stem + role)]))
    }).filter((slot) => ROLES.every((role) => slot[role]))
  }

  /** The slots in use, which move something. */
  get used() { return this.slots.filter((slot) => isUsed(slot)) }

  /** The title of the section of a target. */
  sectionOf(target) { return this.knobs.get(this.targets[target])?.section?.title }

  hueOf(source) { return this.sources[source] ?? "green" }

  /** The slots that move a knob. */
  moving(knob) { return this.used.filter((slot) => this.targets[slot.target.choice] === knob.address) }

  /** The slots that have a knob, such as a macro, as their source or scale, found by its address. */
  movedBy(knob) {
    const name = knob.address.slice(1).replaceAll("/", "-")
    return this.used.filter((slot) => slot.source.choice === name || slot.scale.choice === name)
  }

  /** Calls `listener` at every change. Returns a function that ends this. */
  listen(listener) {
    const ends = this.slots.flatMap((slot) => ROLES.map((role) => slot[role].listen(listener)))
    return () => ends.forEach((end) => end())
  }
}

/** Whether a slot moves anything. */
export const isUsed = (slot) => slot.source.at > 0 && slot.target.at > 0

/** "wheel +30 %": the source that moves a target, and how far. */
export const moverWords = (slot) => `${choiceName(slot.source.choice)} ${slot.amount.sentence}`

/** "cutoff +30 %": the target that is moved, and how far. */
export const movedWords = (slot) => `${choiceName(slot.target.choice)} ${slot.amount.sentence}`
