// The bands of an equalizer, side by side.

import { fader } from "../control/fader.js"
import { control } from "../control/control.js"
import { el } from "../element/dom.js"

const CAPTIONS = { frequency: "Freq", gain: "Gain", q: "Q" }

export function bands(section, others) {
  const name = (band) => (/^\d/.test(band.name) ? `Bell ${band.name}` : band.name[0].toUpperCase() + band.name.slice(1))
  const columns = section.bands.map((band) => el("div", { class: "band", role: "group", "aria-label": name(band) },
    el("h3", {}, name(band)), band.knobs.map((knob) => fader(knob, 2, { title: `${name(band)} ${CAPTIONS[knob.role]?.toLowerCase() ?? knob.title}`, caption: CAPTIONS[knob.role] ?? knob.title }))))
  const rest = others.length > 0 && el("div", { class: "band" }, el("h3", {}, "All"), others.map((knob) => control(knob, 2)))
  return el("div", { class: "bands" }, columns, rest)
}
