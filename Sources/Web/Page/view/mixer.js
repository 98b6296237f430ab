// Eight strips and the master; below them the keys that each part plays, and further knobs of the part in focus.

import { app, PARTS } from "../app.js"
import { control } from "../control/control.js"
import { listMenu } from "../control/listmenu.js"
import { el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { keyMap, splitButtons } from "../mixer/keymap.js"
import { master, strip } from "../mixer/strip.js"
import { section } from "./sectionview.js"

/** From this width on, in pixels, the faders are upright. */
const WIDE = 760

export function view() {
  const isUpright = innerWidth > WIDE
  const { tree } = app
  const strips = tree.page("mixer").find((one) => one.knob("level")) ?? tree.page("mixer")[0]
  const on = strips?.switch ?? strips?.knob("on")
  const masters = tree.page("master")
  const keys = tree.page("parts").find((one) => one.knob("low")?.unit === "key")
  return el("div", { class: "mixer" },
    el("div", { class: "strips" }, strips && Array.from({ length: PARTS }, (_, i) => strip(strips, i + 1, isUpright)), master(masters, isUpright)),
    keys && el("section", { class: "section key-map", "data-hue": "silver", "aria-label": "Keys of the parts" }, el("header", {}, el("h2", {}, "Keys"), splitButtons()), keyMap(keys, on)),
    el("div", { class: "page" }, part(strips, on), masters.filter((one) => !one.knob("tune")).map(section)))
}

/** The other knobs of the part in focus. */
function part(strips, on) {
  const known = new Set(["level", "pan", "mute"])
  const more = strips ? strips.all.filter((knob) => !known.has(knob.role) && knob !== on) : []
  const heading = el("h2")
  const show = () => { heading.textContent = `Part ${app.focus}: keys, velocity, controllers` }
  const frame = el("section", { class: "section of-part span-8", "data-hue": "silver", "aria-label": "Part in focus", "--columns": 8 }, el("header", {}, heading),
    el("div", { class: "cells rank-1" }, more.map((knob) => control(knob, 1)), tunings()),
    app.tree.page("parts").map((one) => el("div", { class: "group", role: "group", "aria-label": one.title }, el("h3", {}, one.title), el("div", { class: "cells rank-1" }, one.all.map((knob) => control(knob, 1, { title: `${one.title} ${knob.title.toLowerCase()}`, caption: knob.title }))))))
  onRemoved(frame, app.values.listen("/focus", show))
  show()
  return frame
}

const ABOUT = "Scala files in the folder tunings of the box."

const tunings = () => [listMenu("Tuning", "/tuning", { about: ABOUT }), listMenu("Key map", "/tuning/map", { about: ABOUT })]
