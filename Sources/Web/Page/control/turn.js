// Turning knobs as steps of the history, and taking the steps back.

import { app } from "../app.js"
import { say } from "../element/toast.js"

/** Begins a gesture on knobs, which becomes one step. Call the result when the gesture ends. */
export function beginGesture(...knobs) {
  const befores = knobs.map((knob) => ({ knob, from: knob.at }))
  for (const knob of knobs) knob.hold()
  return () => {
    for (const knob of knobs) knob.release()
    app.history.remember(befores)
  }
}

/** Sets a knob in one step. */
export function turnTo(knob, at) {
  const from = knob.at
  knob.set(at)
  app.history.remember([{ knob, from }])
}

/** Undoes or redoes the last step, and shows its words. */
export function undo() {
  const step = app.history.undo()
  if (step) say(`Undone: ${step.words}`, "Redo", redo)
}

export function redo() {
  const step = app.history.redo()
  if (step) say(`Done again: ${step.words}`, "Undo", undo)
}
