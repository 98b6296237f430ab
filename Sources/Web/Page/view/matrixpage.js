// The matrix: a map of what moves what, and a row for each slot to change it.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { menu } from "../control/menu.js"
import { el } from "../element/dom.js"
import { untilGone } from "../element/lifetime.js"
import { isUsed } from "../model/matrix.js"
import { arcs } from "../picture/arcs.js"

export function matrixPage() {
  const { matrix } = app.tree
  return [
    el("section", { class: "section map span-5", "data-hue": "violet", "aria-label": "What moves what", "--columns": 5, "--rows": 1 }, el("header", {}, el("h2", {}, "What moves what")), arcs()),
    el("section", { class: "section slots span-7", "data-hue": "violet", "aria-label": "Matrix", "--columns": 7, "--rows": 1 },
      el("header", {}, el("h2", {}, "Matrix"), el("span", { class: "hint" }, "source × scale → target")),
      el("div", { class: "slot titles", "aria-hidden": "true" }, ["", "Source", "Amount", "Target", "Scaled by"].map((title) => el("span", {}, title))),
      el("ol", {}, matrix.slots.map(row))),
  ]
}

function row(slot, index) {
  const name = `Slot ${index + 1}`
  const line = el("li", { class: "slot" }, el("span", { class: "number", "aria-hidden": "true" }, index + 1),
    menu(slot.source, 1, { title: `${name} source`, caption: "Source" }), fader(slot.amount, 1, { title: `${name} amount`, caption: "Amount" }),
    menu(slot.target, 1, { title: `${name} target`, caption: "Target" }), menu(slot.scale, 1, { title: `${name} scaled by`, caption: "Scaled by" }))
  const show = () => {
    line.dataset.hue = app.tree.matrix.hueOf(slot.source.choice)
    line.classList.toggle("is-off", !isUsed(slot))
  }
  untilGone(line, slot.source.listen(show), slot.target.listen(show))
  show()
  return line
}
