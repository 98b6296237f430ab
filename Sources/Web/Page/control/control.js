// The control that suits a knob.

import { fader } from "./fader.js"
import { menu } from "./menu.js"
import { segments } from "./segments.js"
import { toggle } from "./toggle.js"

/** Choices that fit side by side. */
const MOST_SEGMENTS = 7

/** `rank` 0 is turned most and shown largest, 2 seldom. */
export function control(knob, rank = 1, options = {}) {
  if (knob.kind === "toggle") return toggle(knob, options)
  if (knob.kind === "choice") return knob.choices.length <= MOST_SEGMENTS ? segments(knob, rank, options) : menu(knob, rank, options)
  return fader(knob, rank, options)
}
