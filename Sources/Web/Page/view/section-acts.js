// What is done with all knobs of a section at once.

import { app } from "../app.js"
import { say } from "../element/toast.js"
import { takeInHand } from "../control/turn.js"
import { undo } from "../frame/undo.js"

/** Sets all knobs to their defaults. */
export function restore(section) {
  const letGo = takeInHand(...section.all)
  for (const knob of section.all) knob.set(knob.initialAt)
  letGo()
  say(`${section.title}: default`, "Undo", undo)
}

/** How far a variation may turn a knob, as a part of its range. */
const FAR = 0.08

/** The acts of a section besides its default: a slight variation of its faders. */
export const randomWords = (section) => [["Vary a little", () => vary(section)]]

function vary(section) {
  const faders = section.all.filter((knob) => knob.kind === "fader" && !knob.step)
  const letGo = takeInHand(...faders)
  for (const knob of faders) knob.set(knob.at + (Math.random() * 2 - 1) * FAR)
  letGo()
  if (app.history.next) say(`${section.title}: varied`, "Undo", undo)
}
