// Makes the control that suits a knob; also the simplest control, the toggle.

import { el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { fader } from "./fader.js"
import { menu } from "./menu.js"
import { segments } from "./segments.js"
import { turnTo } from "./turn.js"

/** The most choices that are shown side by side. */
const MOST_SEGMENTS = 7

/** The control of a knob. A `rank` of 0 is used most and shown largest, 2 is used seldom. */
export function control(knob, rank = 1, options = {}) {
  if (knob.kind === "toggle") return toggle(knob, options)
  if (knob.kind === "choice") return knob.choices.length <= MOST_SEGMENTS ? segments(knob, rank, options) : menu(knob, rank, options)
  return fader(knob, rank, options)
}

/** On or off, as a word and a shape. `isInverted` is for a bypass, which is shown as the switch of its effect. */
export function toggle(knob, { title = knob.title, caption = title, isInverted = false } = {}) {
  const word = el("span", { class: "word" })
  const face = el("button", { type: "button", class: "cell toggle", role: "switch", "aria-label": title, title: knob.about, onclick: () => turnTo(knob, knob.isOn ? 0 : 1), "data-knob": knob.address },
    el("span", { class: "name" }, caption), el("span", { class: "lamp", "aria-hidden": "true" }), word)
  const show = () => {
    const isOn = knob.isOn !== isInverted
    face.setAttribute("aria-checked", String(isOn))
    word.textContent = isOn ? "on" : "off"
  }
  onRemoved(face, knob.listen(show))
  show()
  return face
}
