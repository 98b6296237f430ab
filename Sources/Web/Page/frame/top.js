// The bar at the top: the box, the preset, the parts, load and voices, undo, learning, panic.

import { app, PARTS } from "../app.js"
import { isLearning, stepLearning } from "../control/card.js"
import { redo, undo } from "../control/turn.js"
import { button, el, icon, roving } from "../element/dom.js"
import { onceAFrame } from "../element/lifetime.js"
import { loadNext, savePreset } from "../presets/acts.js"
import { go } from "./views.js"

const ICONS = { undo: "M9 7L4 12l5 5M4 12h11a5 5 0 0 1 0 10", redo: "M15 7l5 5-5 5M20 12H9a5 5 0 0 0 0 10" }

export function buildTop() {
  return el("header", { class: "top", id: "top" }, boxName(), preset(), parts(), figures(), tools())
}

/** Calls `show` now, and at most once a frame when a value of one of the addresses arrives. */
function follow(addresses, show) {
  const soon = onceAFrame(show)
  for (const address of addresses) app.values.listen(address, soon)
  show()
}

function boxName() {
  const link = el("span", { class: "link" })
  const show = () => { link.textContent = app.socket.isOpen ? "connected" : "not connected" }
  app.socket.addEventListener("change", show)
  show()
  return el("div", { class: "box-name" }, el("span", { class: "lamp", "aria-hidden": "true" }), el("b", {}, app.tree.name), link)
}

function preset() {
  const name = el("b")
  const edited = el("span", { class: "edited" }, "edited")
  const face = el("button", { type: "button", class: "preset-name", onclick: () => go("presets") }, name, edited)
  const save = button("Save", savePreset, "save")
  follow(["/preset/name", "/preset/edited"], () => {
    const words = app.values.get("/preset/name", "") || "No preset"
    const isEdited = app.values.get("/preset/edited", 0) > 0
    name.textContent = words
    edited.hidden = !isEdited
    save.disabled = !isEdited
    face.setAttribute("aria-label", `Preset ${words}${isEdited ? ", edited" : ""}: find another`)
  })
  return el("div", { class: "sound" }, button("‹", () => loadNext(-1), "icon", { "aria-label": "Previous preset" }), face, button("›", () => loadNext(1), "icon", { "aria-label": "Next preset" }), save)
}

function parts() {
  const on = [...app.tree.knobs.values()].find((knob) => knob.address === "/on" || (knob.role === "on" && knob.section?.page === "mixer"))
  const buttons = Array.from({ length: PARTS }, (_, i) => el("button", { type: "button", onclick: () => app.tell("/focus", i + 1) }, i + 1))
  const group = el("div", { class: "parts", role: "group", "aria-label": "Part in focus" }, buttons)
  const ons = on ? buttons.map((_, i) => app.tree.ofPart(i + 1, on)) : []
  const show = () => buttons.forEach((one, i) => {
    const part = i + 1, isOn = ons[i]?.isOn ?? false
    const name = app.values.get(`/part/${part}/preset/name`, "")
    one.setAttribute("aria-pressed", String(part === app.focus))
    one.classList.toggle("sounds", isOn)
    one.setAttribute("aria-label", [`Part ${part}`, name, isOn ? "" : "off"].filter(Boolean).join(", "))
    one.title = name
  })
  ons.forEach((knob) => knob.listen(show))
  follow(["/focus", ...buttons.map((_, i) => `/part/${i + 1}/preset/name`)], show)
  return roving(group)
}

function figures() {
  const [load, voices] = [el("b"), el("b")]
  follow(["/status/load", "/status/voices"], () => {
    load.textContent = app.values.get("/status/load", "–")
    voices.textContent = app.values.get("/status/voices", "–")
  })
  return el("div", { class: "figures", role: "group", "aria-label": "Load and voices" }, el("span", {}, load, " % load"), el("span", {}, voices, " voices"))
}

function tools() {
  const back = button(icon(ICONS.undo), undo, "icon", {}), again = button(icon(ICONS.redo), redo, "icon redo", {})
  const show = () => {
    for (const [face, verb, step] of [[back, "Undo", app.history.next], [again, "Redo", app.history.nextRedo]]) {
      face.disabled = !step
      face.title = step ? `${verb} ${step.words}` : `Nothing to ${verb.toLowerCase()}`
      face.setAttribute("aria-label", step ? `${verb} ${step.words}` : verb)
    }
  }
  app.history.addEventListener("change", show)
  show()
  const learn = button("Learn", stepLearning, "learn", { title: "Touch a knob here, then move a control of a MIDI device" })
  follow(["/learn/state"], () => {
    const state = app.values.get("/learn/state", 0)
    learn.textContent = state === 2 ? "Unlearn" : "Learn"
    learn.setAttribute("aria-pressed", String(isLearning()))
    document.body.classList.toggle("is-learning", isLearning())
  })
  return el("div", { class: "tools" }, back, again, learn, button("Panic", panic, "panic", { title: "Ends all notes (Esc twice)" }))
}

/** Ends all notes, whoever plays them. */
export const panic = () => app.tell("/panic", 1)
