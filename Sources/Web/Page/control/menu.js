// Many choices: a cell with the chosen one, which opens a grid of names that can be searched.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { choiceName } from "../model/numbers.js"
import { turnTo } from "./turn.js"

export function menu(knob, rank = 1, { title = knob.title, caption = title } = {}) {
  const value = el("output", { class: "value" })
  const face = el("button", { type: "button", class: `cell menu rank-${rank}`, title: knob.about, "aria-haspopup": "dialog", onclick: () => openMenu(knob, title), "data-knob": knob.address },
    el("span", { class: "name" }, caption), value, el("span", { class: "chevron", "aria-hidden": "true" }, "▾"))
  const show = () => {
    const name = choiceName(knob.choice ?? "")
    value.textContent = name
    face.setAttribute("aria-label", `${title}: ${name}`)
    face.classList.toggle("at-default", knob.isAtDefault)
  }
  onRemoved(face, knob.listen(show))
  show()
  return face
}

function openMenu(knob, title) {
  const names = knob.choices.map((choice, index) => button(choiceName(choice), () => {
    turnTo(knob, index)
    dialog.close()
  }, "choice", { "aria-pressed": String(index === knob.at) }))
  const groups = grouped(knob).map(([heading, indexes]) => el("div", { class: "choices" }, heading && el("h3", {}, heading), indexes.map((index) => names[index])))
  const none = el("p", { class: "hint", hidden: true }, "Nothing is called so.")
  const search = el("input", { type: "search", placeholder: `Search ${knob.choices.length} choices`, "aria-label": `Search ${title}`, autocomplete: "off", oninput: filter })
  search.addEventListener("keydown", (key) => {
    if (key.key !== "Enter") return
    // The button that gets the focus back must not receive the same key.
    key.preventDefault()
    names.find((name) => !name.hidden)?.click()
  })
  const dialog = openDialog(title, [knob.about && el("p", {}, knob.about), search, none, groups], "tall")
  const chosen = names[knob.at]
  chosen?.focus()
  chosen?.scrollIntoView({ block: "center" })
  // Typing moves the focus to the search. A touch does not, so that no on-screen keyboard appears.
  dialog.addEventListener("keydown", (key) => { if (key.key.length === 1 && key.key !== " " && !key.ctrlKey && !key.metaKey) search.focus() })

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/)
    for (const name of names) name.hidden = !words.every((word) => name.textContent.includes(word))
    for (const group of groups) group.hidden = !group.querySelector("button:not([hidden])")
    none.hidden = groups.some((group) => !group.hidden)
  }
}

/** The indexes of the choices, grouped by the section of a target. */
function grouped(knob) {
  if (knob.role !== "target") return [["", knob.choices.map((_, index) => index)]]
  const groups = new Map([["", []]])
  knob.choices.forEach((choice, index) => {
    const section = app.tree.matrix.sectionOf(choice) ?? ""
    groups.set(section, [...(groups.get(section) ?? []), index])
  })
  return [...groups]
}
