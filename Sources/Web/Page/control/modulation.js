// How far the matrix moves a knob: a dashed bar in its cell.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { moverWords } from "../model/matrix.js"

export function reach(knob) {
  const { matrix } = app.tree
  const bar = el("span", { class: "reach-bar", hidden: true })
  if (!Object.values(matrix.targets).includes(knob.address)) return bar
  const show = onceAFrame(() => {
    const slots = matrix.moving(knob)
    bar.hidden = !slots.length
    bar.title = slots.map(moverWords).join(", ")
    bar.style.setProperty("--reach", slots.reduce((sum, slot) => sum + slot.amount.number / 100, 0))
  })
  onRemoved(bar, matrix.listen(show))
  show()
  return bar
}
