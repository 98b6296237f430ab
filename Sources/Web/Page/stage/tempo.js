// The tempo, to tap.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { untilGone } from "../element/frame.js"

export function tempoButton() {
  const knob = app.tree.sections.flatMap((section) => section.all).find((one) => one.unit === "bpm")
  const number = el("b"), lamp = el("span", { class: "blink", "aria-hidden": "true" })
  const face = el("button", { type: "button", class: "far tempo", onpointerdown: () => app.tell("/tempo/tap", 1) }, lamp, number, el("span", { class: "bpm" }, "bpm · tap"))
  face.addEventListener("click", (event) => { if (!event.detail) app.tell("/tempo/tap", 1) })
  const show = () => {
    const tempo = Math.round(knob?.number ?? 120)
    number.textContent = tempo
    lamp.style.animationDuration = `${60 / tempo}s`
    face.setAttribute("aria-label", `Tempo ${tempo}, tap`)
  }
  untilGone(face, knob?.listen(show))
  show()
  return face
}
