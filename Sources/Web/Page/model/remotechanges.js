// Distinguishes a knob that another client turns from the values of another preset, part or connection.

/** The most knobs that a person can turn at once; more changes in one frame are another sound. */
const MOST = 3
/** Milliseconds after such a change in which nothing counts as turned. */
const CALM = 700

export class RemoteChanges {
  #moved = new Set()
  #calm = 0
  #listeners = new WeakMap()

  /** `name()` is the name of the other client; `note(knob, name)` is called when it turns a knob. */
  constructor(name, note) { Object.assign(this, { name, note }) }

  /** Announces that the sound is about to change as a whole. */
  expectBulkChange() { this.#calm = performance.now() + CALM }

  /** Notes that the box has moved a knob. */
  moved(knob) {
    if (!this.#moved.size) requestAnimationFrame(() => this.#check())
    this.#moved.add(knob)
  }

  /** Calls `listener(name)` when another client turns a knob. Returns a function that ends this. */
  listen(knob, listener) {
    const all = this.#listeners.get(knob) ?? new Set()
    this.#listeners.set(knob, all.add(listener))
    return () => all.delete(listener)
  }

  #check() {
    const moved = [...this.#moved]
    this.#moved.clear()
    if (moved.length > MOST) this.expectBulkChange()
    if (performance.now() < this.#calm) return
    for (const knob of moved) {
      const name = this.name(knob)
      for (const listener of this.#listeners.get(knob) ?? []) listener(name)
      this.note(knob, name)
    }
  }
}
