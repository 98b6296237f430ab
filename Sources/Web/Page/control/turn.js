// Turning knobs as steps of the history, and taking the steps back.

import { app } from "../app.js"
import { say } from "../element/toast.js"

/** Takes knobs into the hand. Call the result when the gesture ends. */
export function takeInHand(...knobs) {
  const befores = knobs.map((knob) => ({ knob, from: knob.at }))
  for (const knob of knobs) knob.hold()
  return () => {
    for (const knob of knobs) knob.letGo()
    app.history.remember(befores)
  }
}

/** Sets a knob in one step. */
export function turnTo(knob, at) {
  const from = knob.at
  knob.set(at)
  app.history.remember([{ knob, from }])
}

/** Takes the last step back, or does it again, and says which. */
export function undo() {
  const step = app.history.undo()
  if (step) say(`Undone: ${step.words}`, "Redo", redo)
}

export function redo() {
  const step = app.history.redo()
  if (step) say(`Done again: ${step.words}`, "Undo", undo)
}
