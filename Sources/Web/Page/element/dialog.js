// Dialogs: sheets at the bottom of a phone, cards in the middle of larger screens.

import { button, el, nothing } from "./dom.js"
import { sayProblem } from "./toast.js"

/** Opens a dialog; it leaves the page when it closes. */
export function openDialog(title, children, kind = "") {
  const dialog = el("dialog", { class: kind || undefined, "aria-label": title },
    el("header", {}, el("h2", {}, title), button("✕", () => dialog.close(), "quiet icon", { "aria-label": "Close" })),
    el("div", { class: "body" }, children))
  dialog.addEventListener("close", () => dialog.remove())
  // The end of the touch that has opened the dialog does not count as a click outside it.
  let isBeside = false
  dialog.addEventListener("pointerdown", (down) => { isBeside = down.target === dialog })
  dialog.addEventListener("click", (click) => { if (isBeside && click.target === dialog) dialog.close() })
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Asks for one line of text. Resolves with it, or with undefined. */
export function askText(title, { value = "", words, ok = "OK", label = title, check = () => undefined } = {}) {
  return new Promise((resolve) => {
    let answer
    const entry = el("input", { type: "text", value, "aria-label": label, autocomplete: "off", spellcheck: "false", maxlength: 200 })
    const problem = el("p", { class: "problem", role: "alert" })
    const use = () => {
      const text = entry.value.trim()
      problem.textContent = check(text) ?? (text ? "" : "A name is needed.")
      if (problem.textContent) return
      answer = text
      dialog.close()
    }
    entry.addEventListener("keydown", (key) => {
      if (key.key !== "Enter") return
      key.preventDefault()
      use()
    })
    const dialog = openDialog(title, [words && el("p", {}, words), entry, problem,
      el("div", { class: "actions end" }, button("Cancel", () => dialog.close(), "quiet"), button(ok, use, "strong"))])
    dialog.addEventListener("close", () => resolve(answer))
    entry.select()
  })
}

/** Asks whether to go on. Resolves with true or false. */
export function confirmed(title, words, ok, kind = "strong") {
  return new Promise((resolve) => {
    let answer = false
    const dialog = openDialog(title, [el("p", {}, words),
      el("div", { class: "actions end" }, button("Cancel", () => dialog.close(), "quiet"), button(ok, () => { answer = true; dialog.close() }, kind))])
    dialog.addEventListener("close", () => resolve(answer))
  })
}

/** Seldom used actions behind three dots: [words, act, kind]. `acts` may be a function, called when it opens. */
export const moreButton = (title, acts) => button("⋯", () => {
  const list = typeof acts === "function" ? acts() : acts
  const dialog = openDialog(title, [el("div", { class: "choices" }, list.map(([words, act, kind = ""]) => button(words, () => { dialog.close(); act() }, `choice ${kind}`)))])
}, "quiet icon more", { "aria-label": `${title}: more`, "aria-haspopup": "dialog" })

/**
 * Shows a trash. `list()` queries its entries, each { name, words, key }; `restore(key)` is true if it was done, and
 * the key is the name if there is none; `empty()` deletes all for ever.
 */
export async function openTrash({ list, restore, empty }) {
  let things
  try { things = await list() } catch (error) { return sayProblem(error) }
  const row = ({ name, words, key = name }) => {
    const line = el("li", {}, el("div", { class: "what" }, el("b", {}, name), words && el("span", {}, words)),
      button("Restore", async () => { if (await restore(key)) line.remove() }, "", { "aria-label": `Restore ${name}` }))
    return line
  }
  const dialog = openDialog("Trash", things.length ? [el("ul", { class: "rows" }, things.map(row)), empty && el("div", { class: "actions end" }, button("Empty the trash", async () => {
    dialog.close()
    if (await confirmed("Empty the trash", `${things.length} ${things.length === 1 ? "file is" : "files are"} deleted for ever.`, "Delete", "danger")) empty()
  }, "quiet danger"))] : [nothing("The trash is empty.")])
}
