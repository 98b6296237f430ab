// One section of the panel: heading, picture, and its knobs in three ranks.

import { control } from "../control/control.js"
import { toggle } from "../control/toggle.js"
import { moreButton } from "../element/dialog.js"
import { el } from "../element/dom.js"
import { onceAFrame, untilGone } from "../element/frame.js"
import { picture } from "../picture/picture.js"
import { SHAPES } from "../picture/shapes.js"
import { bands } from "./bands.js"
import { restore, randomWords } from "./section-acts.js"

export function section(one) {
  const [columns, rows] = one.span
  const grouped = one.bands.length > 2
  const [most, usual, seldom] = grouped ? [[], one.all.filter((knob) => !one.bands.some((band) => band.knobs.includes(knob))), []] : one.ranks
  const frame = el("section", { class: `section span-${columns}${one.picture ? "" : " plain"}`, id: `section-${one.id}`, "data-hue": one.hue, "aria-label": one.title, "--columns": columns, "--rows": rows },
    el("header", {}, el("h2", {}, one.title), one.switch && toggle(one.switch, { title: `${one.title} on` }), moreButton(one.title, () => [["All to default", () => restore(one)], ...randomWords(one)])),
    one.picture && SHAPES[one.picture] && picture(one),
    cells(most, 0), grouped && bands(one, usual), !grouped && cells(usual, 1), fold(one, seldom))
  if (one.switch) {
    const show = () => frame.classList.toggle("is-off", !one.switch.isOn)
    untilGone(frame, one.switch.listen(show))
    show()
  }
  return frame
}

const cells = (knobs, rank) => knobs.length > 0 && el("div", { class: `cells rank-${rank}${knobs.length === 4 && knobs.every((knob) => knob.kind === "fader") ? " four" : ""}` }, knobs.map((knob) => control(knob, rank)))

/** Seldom turned knobs are folded; the heading names those that are not at their default. */
function fold(one, knobs) {
  if (!knobs.length) return undefined
  const said = el("span", { class: "said" })
  const show = onceAFrame(() => {
    const changed = knobs.filter((knob) => !knob.isAtDefault)
    said.textContent = (changed.length ? changed.map((knob) => `${knob.title} ${knob.sentence}`) : knobs.map((knob) => knob.title.toLowerCase())).join(", ")
    said.classList.toggle("changed", changed.length > 0)
  })
  // The cells are made when the fold is first opened.
  const body = el("div", { class: "cells rank-2" })
  const key = `pipit.fold.${one.id}`
  const details = el("details", { class: "fold", open: sessionStorage.getItem(key) === "open" }, el("summary", {}, el("b", {}, "More"), said), body)
  const fill = () => {
    sessionStorage.setItem(key, details.open ? "open" : "shut")
    if (details.open && !body.firstChild) body.append(...knobs.map((knob) => control(knob, 2)))
  }
  details.addEventListener("toggle", fill)
  fill()
  untilGone(details, ...knobs.map((knob) => knob.listen(show)))
  show()
  return details
}
