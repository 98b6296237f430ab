// A value that is chosen from a list, which is queried from the box when it opens.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { sayProblem } from "../element/toast.js"

/**
 * `address` has the value, `list` answers with the choices.
 * - `words(value)` writes a value, `first` are choices before those of the list, `about` is a sentence.
 */
export function listMenu(title, address, { list = `${address}/list`, words = String, about = "", first = [], none = "–" } = {}) {
  const value = el("output", { class: "value" })
  const face = el("button", { type: "button", class: "cell menu rank-1", "aria-haspopup": "dialog", onclick: () => open().catch(sayProblem) }, el("span", { class: "name" }, title), value, el("span", { class: "chevron", "aria-hidden": "true" }, "▾"))
  const show = () => {
    const now = app.values.get(address)
    value.textContent = now === undefined || now === "" || now === 0 ? none : words(now)
    face.setAttribute("aria-label", `${title}: ${value.textContent}`)
  }
  async function open() {
    const choices = [...first, ...await app.questions.list(list)]
    const now = app.values.get(address)
    const dialog = openDialog(title, [about && el("p", {}, about), choices.length ? el("div", { class: "choices" }, choices.map((choice) => button(words(choice), () => {
      app.tell(address, choice)
      dialog.close()
    }, "choice", { "aria-pressed": String(choice === now) }))) : el("p", {}, "There is nothing to choose.")])
  }
  onRemoved(face, app.values.listen(address, show))
  show()
  return face
}
