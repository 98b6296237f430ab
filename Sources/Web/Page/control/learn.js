// Learning: which control of a MIDI device turns a knob. The box leads; the page touches the knob and says the steps.

import { app } from "../app.js"

/** Whether the box waits for a knob or a control. */
export const isLearning = () => app.values.get("/learn/state", 0) > 0

/** Begins to learn a control for a knob: the box takes the address that is touched next. */
export function startLearning(knob) {
  if (!isLearning()) app.tell("/learn", 1)
  app.socket.send(knob.address, knob.argument)
}

/** Begins learning, or goes to its next step. */
export const stepLearning = () => app.tell("/learn", 1)
