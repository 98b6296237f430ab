// The card of one knob: a field for its number, what it does, what moves it, its controller and its address.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { onceAFrame } from "../element/lifetime.js"
import { movedWords, moverWords } from "../model/matrix.js"
import { positionOf, typed } from "../model/numbers.js"
import { beginGesture } from "./turn.js"

export function openCard(knob, title = knob.title) {
  const endGesture = beginGesture(knob)
  const step = knob.step ? knob.step / (knob.high - knob.low) : 0.01
  const unit = el("span", { class: "unit" })
  const entry = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `${title}, value` })
  const problem = el("p", { class: "problem", role: "alert" })
  const show = onceAFrame(() => {
    const [number, words] = knob.words
    entry.value = number
    unit.textContent = words
    if (document.activeElement === entry) entry.select()
  })
  const nudge = (steps) => knob.set(knob.at + steps * step)
  const use = () => {
    const number = typed(withUnit(entry.value, unit.textContent), knob.unit)
    if (number === undefined) {
      entry.setAttribute("aria-invalid", "true")
      problem.textContent = "That is no number."
      return
    }
    knob.set(positionOf(number, knob))
    dialog.close()
  }
  entry.addEventListener("keydown", (key) => {
    if (key.key === "Enter") {
      key.preventDefault()
      return use()
    }
    const way = { ArrowUp: 1, ArrowDown: -1 }[key.key]
    if (!way) return
    key.preventDefault()
    nudge(way)
  })

  const dialog = openDialog(knob.fullTitle && title === knob.title ? knob.fullTitle : title, [
    el("p", {}, knob.about),
    el("div", { class: "entry" }, button("−", () => nudge(-1), "", { "aria-label": "Less" }), el("div", { class: "number" }, entry, unit), button("+", () => nudge(1), "", { "aria-label": "More" })),
    problem,
    el("dl", {}, facts(knob, () => dialog.close())),
    el("div", { class: "actions end" }, button("Default", () => { knob.set(knob.initialAt); dialog.close() }, "quiet"), button("Set", use, "strong"))], "card")
  const end = knob.listen(show)
  dialog.addEventListener("close", () => {
    end()
    endGesture()
  })
  show()
  entry.focus()
}

/** A number typed without a unit is in the unit of the cell, as 1.2 beside kHz. */
const withUnit = (text, unit) => (/[a-z%]\s*$/i.test(text) ? text : /^(kHz|ms)$/.test(unit) ? text + unit : text)

function facts(knob, close) {
  const { matrix } = app.tree
  const movers = matrix.moving(knob).map(moverWords)
  const moves = matrix.movedBy(knob).map(movedWords)
  const fact = (name, ...words) => [el("dt", {}, name), el("dd", {}, words)]
  return [
    fact("Range", knob.range),
    movers.length > 0 && fact("Moved by", movers.join(", ")),
    moves.length > 0 && fact("Moves", moves.join(", ")),
    fact("Controller", knob.cc === undefined ? "none by default" : `CC ${knob.cc}`, button("Learn", () => { close(); startLearning(knob) }, "quiet")),
    fact("Address", el("code", {}, knob.address)),
  ]
}

/** Whether the box waits for a knob or a control. */
export const isLearning = () => app.values.get("/learn/state", 0) > 0

/** Begins to learn a control for a knob. */
function startLearning(knob) {
  if (!isLearning()) app.tell("/learn", 1)
  touch(knob)
}

/** Touches a knob without moving it: the box learns the next address that it receives. */
export const touch = (knob) => app.socket.send(knob.address, knob.argument)

/** Begins learning, or goes to its next step. */
export const stepLearning = () => app.tell("/learn", 1)
