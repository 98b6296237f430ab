// A section of the panel: knobs that are shown together, ordered by how often they are used.

export class Section {
  constructor(node, knobOf) {
    const { ID, TITLE, HUE, PAGE, PICTURE, SPAN, SWITCH, RANKS = [] } = node
    Object.assign(this, { id: ID, title: TITLE, hue: HUE, page: PAGE, picture: PICTURE, span: SPAN ?? [12, 1] })
    /** Three lists of knobs: used most, normally, seldom. */
    this.ranks = [0, 1, 2].map((rank) => (RANKS[rank] ?? []).map(knobOf).filter(Boolean))
    this.switch = SWITCH ? knobOf(SWITCH) : undefined
    for (const knob of [...this.all, this.switch]) if (knob) knob.section ??= this
  }

  /** All its knobs, without the switch. */
  get all() { return this.ranks.flat() }

  /** The knob whose last word of the address is `ending`. */
  knob(ending) { return this.all.find((knob) => knob.address.endsWith("/" + ending)) }

  /** Whether its switch is a bypass. */
  get isBypassed() { return this.switch?.role === "bypass" }

  /** Whether it is part of the sound. */
  get isOn() { return this.switch ? this.switch.isOn !== this.isBypassed : true }

  /** Knobs in groups by the word before the last, as the bands of an equalizer; knobs without such a word are not in one. */
  get bands() {
    const words = this.all.map((knob) => knob.address.split("/").slice(1))
    const depth = Math.max(0, ...words.map((list) => list.length))
    const bands = new Map()
    this.all.forEach((knob, index) => {
      if (words[index].length < depth || depth < 3) return
      const name = words[index].at(-2)
      const band = bands.get(name) ?? { name, knobs: [] }
      bands.set(name, band)
      band.knobs.push(knob)
      band[knob.role] = knob
    })
    return [...bands.values()]
  }

  /** Calls `listener` at every change of its knobs. Returns a function that ends this. */
  listen(listener) {
    const ends = [...this.all, this.switch].filter(Boolean).map((knob) => knob.listen(listener))
    return () => ends.forEach((end) => end())
  }
}
