// Few choices, side by side.

import { el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { choiceName } from "../model/numbers.js"
import { waveGlyph } from "../picture/path.js"
import { turnTo } from "./turn.js"

let groups = 0

export function segments(knob, rank = 1, { title = knob.title, caption = title } = {}) {
  const isWave = knob.role === "wave"
  const chosen = el("b", { "aria-hidden": "true" })
  const name = `choice-${++groups}`
  const options = knob.choices.map((choice, index) => {
    const input = el("input", { type: "radio", name, "aria-label": choiceName(choice), onchange: () => turnTo(knob, index) })
    return el("label", { title: choiceName(choice) }, input, isWave ? waveGlyph(choice) : el("span", {}, choiceName(choice)))
  })
  // The width that the words need, so that a row of cells wraps before they are cut off.
  const room = knob.choices.reduce((sum, choice) => sum + (isWave ? 46 : Math.max(40, 7.5 * choice.length + 18)), 8)
  const group = el("fieldset", { class: `cell segments rank-${rank}${knob.choices.length > 5 ? " many" : ""}`, title: knob.about, "--room": `${Math.round(room)}px`, "aria-description": knob.about, "data-knob": knob.address },
    el("legend", {}, caption, isWave && [" ", chosen]), el("div", { class: "options" }, options))
  const show = () => {
    chosen.textContent = choiceName(knob.choice ?? "")
    options.forEach((option, index) => { option.firstChild.checked = index === knob.at })
    group.classList.toggle("at-default", knob.isAtDefault)
  }
  onRemoved(group, knob.listen(show))
  show()
  return group
}
