// The knobs in the box's tree, as objects, and their sections: the panel is made from them.

import { Knob } from "./knob.js"
import { Matrix } from "./matrix.js"
import { Section } from "./section.js"

export class Tree {
  #parts = new Map()

  constructor(root, values, outbox) {
    Object.assign(this, { values, outbox, name: root.NAME ?? "pipit", version: root.VERSION ?? "" })
    /** The knobs of the part in focus and of the instrument, by address. */
    this.knobs = new Map()
    walk(root, (node) => this.knobs.set(node.FULL_PATH, this.#connected(node, node.FULL_PATH)))
    this.matrix = new Matrix(root.MATRIX, this.knobs)
    this.sections = (root.SECTIONS ?? []).map((node) => new Section(node, (address) => this.knobs.get(address)))
  }

  /** The sections of a page. */
  page(name) { return this.sections.filter((section) => section.page === name) }

  /** The section with an id. */
  section(id) { return this.sections.find((section) => section.id === id) }

  /** The knob of one part that corresponds to a knob of the part in focus. */
  ofPart(part, knob) {
    const address = `/part/${part}${knob.address}`
    let made = this.#parts.get(address)
    if (!made) {
      // The value in the tree is that of the part in focus.
      made = this.#connected({ ...knob.node, VALUE: [] }, address)
      if (this.values.get(address) === undefined) this.onUnknown?.(address)
      made.section = { title: `Part ${part}` }
      this.#parts.set(address, made)
    }
    return made
  }

  /** A value of the box from 0 to 1 that is no knob of the tree, as a knob. `more` is its range, if that is not 0 to 100 %. */
  level(address, title, about, more = {}) {
    const node = { TYPE: "f", DESCRIPTION: title, KNOB: { about, unit: "percent", low: 0, high: 100, initial: 100, ...more } }
    let made = this.#parts.get(address)
    if (!made) this.#parts.set(address, made = this.#connected(node, address))
    return made
  }

  /** The knob of an address that may name a part. */
  find(address) {
    const found = /^\/part\/(\d+)(\/.*)$/.exec(address)
    if (!found) return this.knobs.get(address)
    const knob = this.knobs.get(found[2])
    return knob && this.ofPart(Number(found[1]), knob)
  }

  #connected(node, address) {
    const knob = new Knob(node, address, this.outbox)
    const [value, text] = [this.values.get(address), this.values.get(`${address}/text`)]
    if (value !== undefined) knob.take(value)
    if (text !== undefined) knob.takeText(text)
    this.values.listen(address, (value) => { if (knob.take(value)) this.onMoved?.(knob) })
    this.values.listen(`${address}/text`, (text) => knob.takeText(text))
    return knob
  }
}

/** Visits the nodes that are knobs, except those under the addresses of single parts. */
function walk(node, visit) {
  if (node.KNOB) visit(node)
  for (const [name, child] of Object.entries(node.CONTENTS ?? {})) {
    if (node.FULL_PATH === "/" && name === "part") continue
    walk(child, visit)
  }
}
