// Undo and redo, said in words.

import { app } from "../app.js"
import { say } from "../element/toast.js"

export function undo() {
  const step = app.history.undo()
  if (step) say(`Undone: ${step.words}`, "Redo", redo)
}

export function redo() {
  const step = app.history.redo()
  if (step) say(`Done again: ${step.words}`, "Undo", undo)
}
