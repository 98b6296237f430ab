// On or off, said with a word and a shape.

import { el } from "../element/dom.js"
import { untilGone } from "../element/frame.js"
import { turnTo } from "./turn.js"

export function toggle(knob, { title = knob.title, caption = title } = {}) {
  const word = el("span", { class: "word" })
  const face = el("button", { type: "button", class: "cell toggle", role: "switch", "aria-label": title, title: knob.about, onclick: () => turnTo(knob, knob.isOn ? 0 : 1), "data-knob": knob.address },
    el("span", { class: "name" }, caption), el("span", { class: "lamp", "aria-hidden": "true" }), word)
  const show = () => {
    face.setAttribute("aria-checked", String(knob.isOn))
    word.textContent = knob.isOn ? "on" : "off"
  }
  untilGone(face, knob.listen(show))
  show()
  return face
}
