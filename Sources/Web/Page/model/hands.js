// Distinguishes a knob that another client turns from the values of another preset, part or connection.

/** The most knobs that a person can turn at once; more changes in one frame are another sound. */
const MOST = 3
/** Milliseconds after such a change in which nothing counts as turned. */
const CALM = 700

export class Hands {
  #moved = new Set()
  #calm = 0
  #listeners = new WeakMap()

  /** `name()` is the name of the other client; `note(knob, name)` is called when it turns a knob. */
  constructor(name, note) { Object.assign(this, { name, note }) }

  /** Announces that the sound is about to change as a whole. */
  expect() { this.#calm = performance.now() + CALM }

  /** Notes that the box has moved a knob. */
  moved(knob) {
    if (!this.#moved.size) requestAnimationFrame(() => this.#look())
    this.#moved.add(knob)
  }

  /** Calls `hear(name)` when another client turns a knob. Returns a function that ends this. */
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
