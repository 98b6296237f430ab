// The history of changes, and undo: one gesture is one step, however many values it went through.

/** The most steps that are kept. */
const MOST = 200

export class History extends EventTarget {
  #done = []
  #undone = []

  /** Remembers a gesture on knobs, given where each stood before; nothing if none has moved. */
  remember(befores) {
    const moves = befores.filter(({ knob, from }) => knob.at !== from).map(({ knob, from }) => ({ knob, from, to: knob.at }))
    if (!moves.length) return
    const words = moves.map(({ knob }, index) => `${index ? knob.title.toLowerCase() : knob.fullTitle} ${knob.sentence}`).join(", ")
    this.#add({
      words, knobs: moves.map(({ knob }) => knob),
      undo: () => moves.forEach(({ knob, from }) => knob.set(from)), redo: () => moves.forEach(({ knob, to }) => knob.set(to)),
    })
  }

  /** Remembers another act that can be undone. */
  rememberAct(words, undo, redo) { this.#add({ words, undo, redo, knobs: [] }) }

  /** Notes a knob that another client has turned; such steps cannot be undone here. */
  note(knob, by) {
    const last = this.#done.at(-1)
    const words = `${knob.fullTitle} ${knob.sentence}`
    if (last?.by === by && last.knobs[0] === knob) last.words = words
    else this.#done.push({ words, by, knobs: [knob] })
    this.#changed()
  }

  /** Forgets the steps of this page, as when another part comes into focus. */
  forget() {
    this.#done = this.#done.filter((step) => step.by)
    this.#undone = []
    this.#changed()
  }

  /** The step that undo would take back, or redo would do again. */
  get next() { return this.#done.findLast?.((step) => !step.by) ?? this.#done.filter((step) => !step.by).at(-1) }
  get nextRedo() { return this.#undone.at(-1) }
  /** All steps, the newest first. */
  get steps() { return [...this.#done].reverse() }

  undo() {
    const step = this.next
    if (!step) return undefined
    this.#done.splice(this.#done.indexOf(step), 1)
    this.#undone.push(step)
    step.undo()
    this.#changed()
    return step
  }

  redo() {
    const step = this.#undone.pop()
    if (!step) return undefined
    this.#done.push(step)
    step.redo()
    this.#changed()
    return step
  }

  #add(step) {
    this.#done.push(step)
    this.#undone = []
    if (this.#done.length > MOST) this.#done.shift()
    this.#changed()
  }

  #changed() { this.dispatchEvent(new Event("change")) }
}
