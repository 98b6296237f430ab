// The sixteen presets of the page that tablets show, and the ways to the next page.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { untilGone } from "../element/lifetime.js"

const SLOTS = 16

export function slots() {
  const faces = Array.from({ length: SLOTS }, (_, i) => button("", () => app.tell(`/preset/slot/${i + 1}`, 1), "slot-button"))
  const turn = (word, sign) => button(sign, () => app.tell(`/preset/page/${word}`, 1), "far turn", { "aria-label": `${word === "next" ? "Next" : "Previous"} page` })
  const frame = el("div", { class: "slots-of-stage" }, turn("previous", "‹"), el("div", { class: "slot-grid", role: "group", "aria-label": "Presets of the page" }, faces), turn("next", "›"))
  const show = (number) => {
    const face = faces[number - 1]
    const name = app.values.get(`/preset/slot/${number}/name`, "")
    face.textContent = name
    face.disabled = !name
    face.setAttribute("aria-label", name || `Slot ${number}, empty`)
    face.setAttribute("aria-pressed", String(app.values.get(`/preset/slot/${number}/current`, 0) > 0))
  }
  untilGone(frame, app.values.listenAll("/preset/slot/", (_, address) => show(Number(address.split("/")[3]))))
  faces.forEach((_, i) => show(i + 1))
  return frame
}
