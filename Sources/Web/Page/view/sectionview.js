// One section of the panel: heading, picture, and its knobs in three ranks.

import { control, toggle } from "../control/control.js"
import { fader } from "../control/fader.js"
import { beginGesture, undo } from "../control/turn.js"
import { moreButton } from "../element/dialog.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { say } from "../element/toast.js"
import { picture, SHAPES } from "../picture/picture.js"

/** Pixels of a wide screen, and of a high one. */
const ROOMY = 1100, HIGH = 980

export function section(one) {
  const [columns, rows] = one.span
  const grouped = one.bands.length > 2
  const [most, usual, seldom] = grouped ? [[], one.all.filter((knob) => !one.bands.some((band) => band.knobs.includes(knob))), []] : one.ranks
  const frame = el("section", { class: `section span-${columns}${one.picture ? "" : " plain"}`, id: `section-${one.id}`, "data-hue": one.hue, "aria-label": one.title, "--columns": columns, "--rows": rows },
    el("header", {}, el("h2", {}, one.title), one.switch && toggle(one.switch, { title: `${one.title} on`, isInverted: one.isBypassed }), moreButton(one.title, () => [["All to default", () => restore(one)]])),
    one.picture && SHAPES[one.picture] && picture(one),
    cells(most, 0), grouped && bands(one, usual), !grouped && cells(usual, 1), fold(one, seldom))
  if (one.switch) {
    const show = () => frame.classList.toggle("is-off", !one.isOn)
    onRemoved(frame, one.switch.listen(show))
    show()
  }
  return frame
}

const cells = (knobs, rank) => knobs.length > 0 && el("div", { class: `cells rank-${rank}${knobs.length === 4 && knobs.every((knob) => knob.kind === "fader") ? " four" : ""}` }, knobs.map((knob) => control(knob, rank)))

/** Seldom turned knobs are folded; the heading names those that are not at their default. */
function fold(one, knobs) {
  if (!knobs.length) return undefined
  const summary = el("span", { class: "said" })
  const show = onceAFrame(() => {
    const changed = knobs.filter((knob) => !knob.isAtDefault)
    summary.textContent = (changed.length ? changed.map((knob) => `${knob.title} ${knob.sentence}`) : knobs.map((knob) => knob.title.toLowerCase())).join(", ")
    summary.classList.toggle("changed", changed.length > 0)
  })
  // The cells are made when the fold is first opened.
  const body = el("div", { class: "cells rank-2" })
  const key = `pipit.fold.${one.id}`
  // A section that is as high as several has room for them on a wide screen, a narrow one on a high screen too.
  const isRoomy = innerWidth > ROOMY && (one.span[1] > 2 || (one.span[0] < 5 && innerHeight > HIGH))
  const details = el("details", { class: "fold", open: (sessionStorage.getItem(key) ?? (isRoomy ? "open" : "shut")) === "open" }, el("summary", {}, el("b", {}, "More"), summary), body)
  const fill = () => {
    sessionStorage.setItem(key, details.open ? "open" : "shut")
    if (details.open && !body.firstChild) body.append(...knobs.map((knob) => control(knob, 2)))
  }
  details.addEventListener("toggle", fill)
  fill()
  onRemoved(details, ...knobs.map((knob) => knob.listen(show)))
  show()
  return details
}

const CAPTIONS = { frequency: "Freq", gain: "Gain", q: "Q" }

/** The bands of an equalizer, side by side. */
function bands(section, others) {
  const name = (band) => (/^\d/.test(band.name) ? `Bell ${band.name}` : band.name[0].toUpperCase() + band.name.slice(1))
  const columns = section.bands.map((band) => el("div", { class: "band", role: "group", "aria-label": name(band) },
    el("h3", {}, name(band)), band.knobs.map((knob) => fader(knob, 2, { title: `${name(band)} ${CAPTIONS[knob.role]?.toLowerCase() ?? knob.title}`, caption: CAPTIONS[knob.role] ?? knob.title }))))
  const rest = others.length > 0 && el("div", { class: "band" }, el("h3", {}, "All"), others.map((knob) => control(knob, 2)))
  return el("div", { class: "bands" }, columns, rest)
}

/** Sets all knobs to their defaults. */
function restore(section) {
  const endGesture = beginGesture(...section.all)
  for (const knob of section.all) knob.set(knob.initialAt)
  endGesture()
  say(`${section.title}: default`, "Undo", undo)
}
