// A section's picture, kept up to date with its knobs. The same knobs are faders beside it, so it is decoration to a
// screen reader.

import { el, svg } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { spectrumBehind } from "../monitor/scope.js"
import { compressor } from "./compressor.js"
import { drive } from "./drive.js"
import { chorus, delay, flanger, phaser, reverb } from "./effects.js"
import { envelope } from "./envelope.js"
import { equalizer } from "./equalizer.js"
import { filter } from "./filter.js"
import { grip } from "./grip.js"
import { lfo, oscillator } from "./oscillator.js"
import { rhythm } from "./rhythm.js"
import { rotary } from "./rotary.js"

/** Below this width there is no room for notes. */
const WIDE = 420

/** The large picture, with grips. */
export function picture(section) {
  const stage = svg("svg", { "aria-hidden": "true", focusable: "false" })
  const frame = el("div", { class: `picture ${section.picture}` }, OVER_FREQUENCY.has(section.picture) && spectrumBehind(), stage)
  const grips = new Map()
  keep(frame, stage, section, ({ lines, words = [], notes = [], grips: wanted = [] }, w) => {
    stage.replaceChildren(...lines.map(path), ...words.map((one) => text(one, "scale")), ...(w < WIDE ? [] : notes.map((one) => text(one, "note"))))
    wanted.forEach((one, index) => {
      if (!grips.has(index)) {
        grips.set(index, grip())
        frame.append(grips.get(index).element)
      }
      grips.get(index).place(one, w)
    })
  })
  return frame
}

/** The small picture, for the strip. */
export function thumbnail(section) {
  const stage = svg("svg", { "aria-hidden": "true", focusable: "false" })
  const frame = el("span", { class: "thumbnail", "data-hue": section.hue }, stage)
  keep(frame, stage, section, ({ lines }) => {
    stage.replaceChildren(...lines.filter(({ as }) => !/grid|mark|axis|reach/.test(as)).map(path))
    frame.classList.toggle("is-off", !section.isOn)
  })
  return frame
}

function keep(frame, stage, section, paint) {
  const draw = onceAFrame(() => {
    const [w, h] = [frame.clientWidth, frame.clientHeight]
    if (!w || !h) return
    stage.setAttribute("viewBox", `0 0 ${w} ${h}`)
    paint(SHAPES[section.picture](section, w, h), w, h)
  })
  const observer = new ResizeObserver(draw)
  observer.observe(frame)
  onRemoved(frame, section.listen(draw), () => observer.disconnect())
}

const path = ({ d, as }) => svg("path", { d, class: as })
const text = ({ x, y, text, anchor }, as) => svg("text", { x, y, class: as, "text-anchor": anchor }, text)

/** The drawing functions by the PICTURE of a section. Other sections have no picture. */
export const SHAPES = { wave: oscillator, envelope, filter, eq: equalizer, lfo, drive, compressor, phaser, flanger, chorus, rotary, delay, reverb, rhythm }

/** Pictures over frequency, behind which the spectrum lies. */
const OVER_FREQUENCY = new Set(["filter", "eq"])
