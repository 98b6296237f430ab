// The page to play: macros and modes, wheels, a pad for pitch and loudness, and keys.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { movedWords } from "../model/matrix.js"
import { keyboard } from "../play/keyboard.js"
import { pad, pedal, wheel } from "../play/wheels.js"

export function playPage(sections) {
  sections.forEach((section, index) => section.append(...moves(app.tree.page("play")[index])))
  const isSmall = innerWidth < 700
  return [...sections, el("section", { class: "section hands span-12", "data-hue": "green", "aria-label": "Keys and wheels", "--columns": 12, "--rows": 1 },
    el("div", { class: "wheels" }, wheel("Bend", "/bend", { from: -1, isSprung: true }), wheel("Wheel", "/wheel"), wheel("Pressure", "/pressure", { isSprung: true }), pedal("Sustain", "/sustain")),
    pad(), keyboard(isSmall ? { from: 48, to: 67 } : { from: 48, to: 84 }))]
}

/** A list of the targets that the knobs of a section, such as the macros, move by the matrix. */
function moves(section) {
  if (!section || !section.all.some((knob) => Object.keys(app.tree.matrix.sources).includes(knob.address.slice(1).replaceAll("/", "-")) || /macro/.test(section.id))) return []
  const list = el("ul", { class: "moves" })
  const show = onceAFrame(() => list.replaceChildren(...section.all.map((knob) => {
    const moved = app.tree.matrix.movedBy(knob)
    return el("li", {}, `${knob.title} moves `, moved.length ? moved.flatMap((slot, index) => [index ? ", " : "", el("b", {}, movedWords(slot))]) : "nothing yet")
  })))
  onRemoved(list, app.tree.matrix.listen(show))
  show()
  return [list]
}
