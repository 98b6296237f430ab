// Actions on the preset of the part in focus, for all views.

import { app } from "../app.js"
import { say, sayProblem } from "../element/toast.js"

/** Recalls a preset by its name. */
export function loadPreset(name) {
  recall(() => app.tell("/preset/load", name), name)
  say(`${name} plays on part ${app.focus}`, "Undo", () => { app.history.undo() })
}

/** Recalls the next or the previous preset. */
export function loadNext(way) { recall(() => app.tell(way > 0 ? "/preset/next" : "/preset/previous", 1)) }

function recall(act, name = "preset") {
  act()
  app.history.rememberAct(`load ${name}`, () => app.tell("/preset/undo", 1), () => app.tell("/preset/redo", 1))
}

/** Saves the sound in its preset. */
export function savePreset() {
  const name = app.values.get("/preset/name", "")
  app.tell("/preset/save", 1)
  const end = app.values.listen("/preset/edited", (isEdited) => {
    end()
    if (!isEdited) say(`${app.values.get("/preset/name", name)} is saved`)
  })
  setTimeout(end, 3000)
}

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
