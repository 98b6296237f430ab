// Turning knobs as one step of the history.

import { app } from "../app.js"

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
