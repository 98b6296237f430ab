// Actions on the preset of the part in focus, for all views.

import { app } from "../app.js"
import { say, sayProblem } from "../element/toast.js"
import { placeOf } from "./library.js"

/** Recalls a preset. */
export function loadPreset(preset) {
  recall(() => app.tell("/preset/load", placeOf(preset)), preset.name)
  say(`${preset.name} plays on part ${app.focus}`, "Undo", () => { app.history.undo() })
}

/** Recalls the next or the previous preset. */
export function loadNext(way) { recall(() => app.tell(way > 0 ? "/preset/next" : "/preset/previous", 1)) }

function recall(act, name = "preset") {
  act()
  app.history.rememberAct(`load ${name}`, () => app.tell("/preset/undo", 1), () => app.tell("/preset/redo", 1))
}

/** Saves the sound in its preset. The box's notice says when it is on the disk; nothing else does. */
export function savePreset() { app.tell("/preset/save", 1) }

/** Lets a preset be heard that is not loaded: the box plays a phrase on a part that is off, which ends with this page. */
export const hear = (preset) => app.tell("/presets/hear", placeOf(preset))

/** Sends the box a request that it answers with a sentence. True if the box has carried it out. */
export async function order(address, ...words) {
  try {
    const [answer] = await app.questions.ask(address, ...words)
    if (typeof answer === "string" && answer) say(answer)
    return true
  } catch (error) {
    sayProblem(error)
    return false
  }
}
