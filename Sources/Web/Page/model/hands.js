// Tells a knob that somebody else turns from the values of another preset, part or connection.

/** Knobs that a person can turn at once; more in one frame are another sound. */
const MOST = 3
/** Milliseconds after such a change in which nothing counts as turned. */
const CALM = 700

export class Hands {
  #moved = new Set()
  #calm = 0
  #listeners = new WeakMap()

  /** `name()` is the name of another hand; `note(knob, name)` hears of it. */
  constructor(name, note) { Object.assign(this, { name, note }) }

  /** The sound is about to change as a whole. */
  expect() { this.#calm = performance.now() + CALM }

  /** A knob was moved by the box. */
  moved(knob) {
    if (!this.#moved.size) requestAnimationFrame(() => this.#look())
    this.#moved.add(knob)
  }

  /** Calls `hear(name)` when another hand turns a knob. */
  listen(knob, hear) {
    const all = this.#listeners.get(knob) ?? new Set()
    this.#listeners.set(knob, all.add(hear))
    return () => all.delete(hear)
  }

  #look() {
    const moved = [...this.#moved]
    this.#moved.clear()
    if (moved.length > MOST) this.expect()
    if (performance.now() < this.#calm) return
    for (const knob of moved) {
      const name = this.name(knob)
      for (const hear of this.#listeners.get(knob) ?? []) hear(name)
      this.note(knob, name)
    }
  }
}
