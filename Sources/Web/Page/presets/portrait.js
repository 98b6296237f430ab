// Pictures of a preset that is not loaded, drawn from its text by the functions that draw the panel.

import { app } from "../app.js"
import { el, svg } from "../element/dom.js"
import { choiceName, reading, written } from "../model/numbers.js"
import { xOf } from "../picture/path.js"
import { SHAPES } from "../picture/picture.js"
import { frozen, positions, textOf } from "./text.js"

/** Sizes of the small picture in a row, and of one in the detail. */
const ROW = [64, 24], DETAIL = [120, 64]

/** The sections of the first oscillator, the filter and the amplifier's envelope, found by their pictures. */
function parts() {
  const by = (picture) => app.tree.sections.filter((section) => section.picture === picture)
  const envelopes = by("envelope")
  return { wave: by("wave")[0], filter: by("filter")[0], envelope: envelopes.find((section) => section.knob("level")) ?? envelopes[0] }
}

/** Fills `frame` with the small picture of a preset: its envelope, and a line at its cutoff. */
export async function drawRow(frame, preset) {
  try {
    const at = positions(await textOf(preset))
    const { envelope, filter } = parts()
    if (!envelope) return
    const [w, h] = ROW
    const { lines } = SHAPES.envelope(frozen(envelope, at), w, h)
    const cutoff = filter && frozen(filter, at).knob("cutoff")
    const x = cutoff && Math.min(w - 1, Math.max(1, xOf(cutoff.number, w))).toFixed(1)
    frame.replaceChildren(...lines.filter(({ as }) => /area|main/.test(as)).map(({ d, as }) => svg("path", { d, class: as })), ...(cutoff ? [svg("path", { d: `M${x} 1v${h - 2}`, class: "cut" })] : []))
  } catch { /* A preset that cannot be read has no picture. */ }
}

export const rowFrame = () => svg("svg", { class: "preset-picture", viewBox: `0 0 ${ROW.join(" ")}`, "aria-hidden": "true" })

/** Three pictures with a word each: wave, filter, envelope. */
export function portrait(text) {
  const at = positions(text)
  const { wave, filter, envelope } = parts()
  const figure = (section, words) => {
    const picture = svg("svg", { viewBox: `0 0 ${DETAIL.join(" ")}`, preserveAspectRatio: "none", "aria-hidden": "true" })
    const still = frozen(section, at, draw)
    function draw() {
      const { lines } = SHAPES[section.picture](still, ...DETAIL)
      picture.replaceChildren(...lines.filter(({ as }) => !/grid|mark|axis|reach/.test(as)).map(({ d, as }) => svg("path", { d, class: as })))
    }
    draw()
    return el("figure", { "data-hue": section.hue }, picture, el("figcaption", {}, words(still)))
  }
  const valueText = (knob) => reading(written(knob.number, knob)).join(" ").trim()
  return el("div", { class: "portrait" },
    wave && figure(wave, (still) => choiceName(still.knob("wave").choice)),
    filter && figure(filter, (still) => (still.knob("mode")?.number < 0.5 ? `up to ${valueText(still.knob("cutoff"))}` : `at ${valueText(still.knob("cutoff"))}`)),
    envelope && figure(envelope, (still) => (still.knob("sustain").at > 0.05 ? `held at ${valueText(still.knob("sustain"))}` : `rings ${valueText(still.knob("decay"))}`)))
}
