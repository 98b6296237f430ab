// Read from two metres, hit without looking. While it is locked, nothing answers but Panic and the lock.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { button, el, icon } from "../element/dom.js"
import { onceAFrame, untilGone } from "../element/lifetime.js"
import { say } from "../element/toast.js"
import { panic } from "../frame/top.js"
import { go } from "../frame/views.js"
import { loadNext } from "../presets/acts.js"
import { library } from "../presets/library.js"

export function view() {
  const { tree } = app
  const title = el("h1"), page = el("span", { class: "page-name" }), [before, after] = [el("b"), el("b")]
  const macros = tree.page("play")[0]?.ranks[0].slice(0, 4) ?? []
  const level = tree.page("master").map((section) => section.knob("level")).find(Boolean)
  const frame = el("div", { class: "stage" },
    el("div", { class: "place" }, button(["‹", el("span", {}, " Leave")], () => go("panel"), "far quiet", { "aria-label": "Leave the stage" }), page, el("span", { class: "spring" }), tempoButton(), button("Panic", panic, "panic far keeps")),
    title,
    el("div", { class: "ways" },
      button([el("span", { class: "way" }, "◀ Previous"), before], () => loadNext(-1), "way-button"),
      button([el("span", { class: "way" }, "Next ▶"), after], () => loadNext(1), "way-button next")),
    slots(),
    el("div", { class: "turns" }, macros.map((knob) => fader(knob, 0)), level && fader(level, 0, { title: "Master" })),
    lockButton((isLocked) => { document.body.classList.toggle("is-locked", isLocked); say(isLocked ? "Locked" : "Unlocked") }))

  const show = onceAFrame(() => {
    const name = app.values.get("/preset/name", "")
    title.textContent = name || "No preset"
    page.textContent = `Part ${app.focus} · ${app.values.get("/preset/page", "")}`
    const at = library.all.findIndex((one) => one.name === name), { length } = library.all
    before.textContent = at < 0 ? "" : library.all[(at - 1 + length) % length].name
    after.textContent = at < 0 ? "" : library.all[(at + 1) % length].name
  })
  untilGone(frame, library.listen(show), ...["/preset/name", "/preset/page", "/focus"].map((address) => app.values.listen(address, show)), () => document.body.classList.remove("is-locked"))
  const ask = () => { if (app.socket.isOpen) library.refresh().catch(() => {}) }
  app.socket.addEventListener("change", ask)
  untilGone(frame, () => app.socket.removeEventListener("change", ask))
  ask()
  show()
  return frame
}

/** The tempo, to tap. */
function tempoButton() {
  const knob = app.tree.sections.flatMap((section) => section.all).find((one) => one.unit === "bpm")
  const number = el("b"), lamp = el("span", { class: "blink", "aria-hidden": "true" })
  const face = el("button", { type: "button", class: "far tempo", onpointerdown: () => app.tell("/tempo/tap", 1) }, lamp, number, el("span", { class: "bpm" }, "bpm · tap"))
  face.addEventListener("click", (event) => { if (!event.detail) app.tell("/tempo/tap", 1) })
  const show = () => {
    const tempo = Math.round(knob?.number ?? 120)
    number.textContent = tempo
    lamp.style.animationDuration = `${60 / tempo}s`
    face.setAttribute("aria-label", `Tempo ${tempo}, tap`)
  }
  untilGone(face, knob?.listen(show))
  show()
  return face
}

const SLOTS = 16

/** The sixteen presets of the page that tablets show, and the ways to the next page. */
function slots() {
  const faces = Array.from({ length: SLOTS }, (_, i) => button("", () => app.tell(`/preset/slot/${i + 1}`, 1), "slot-button"))
  const turn = (word, sign) => button(sign, () => app.tell(`/preset/page/${word}`, 1), "far turn", { "aria-label": `${word === "next" ? "Next" : "Previous"} page` })
  const frame = el("div", { class: "slots-of-stage" }, turn("previous", "‹"), el("div", { class: "slot-grid", role: "group", "aria-label": "Presets of the page" }, faces), turn("next", "›"))
  const show = (number) => {
    const face = faces[number - 1]
    const name = app.values.get(`/preset/slot/${number}/name`, "")
    face.textContent = name
    face.disabled = !name
    face.setAttribute("aria-label", name || `Slot ${number}, empty`)
    face.setAttribute("aria-pressed", String(app.values.get(`/preset/slot/${number}/current`, 0) > 0))
  }
  untilGone(frame, app.values.listenAll("/preset/slot/", (_, address) => show(Number(address.split("/")[3]))))
  faces.forEach((_, i) => show(i + 1))
  return frame
}

/** Milliseconds that unlock. */
const HOLD = 800
const SHACKLE = { open: "M8.5 11V7a3.5 3.5 0 0 1 6.8-1.2", shut: "M8.5 11V7a3.500 3.500 0 0 1 7 0v4" }

/** A lock against stray touches: a tap locks, a hold unlocks. */
function lockButton(changed) {
  let isLocked = false, timer
  const face = el("button", { type: "button", class: "lock keeps", "--hold": `${HOLD}ms` })
  const show = () => {
    face.replaceChildren(icon(`M6 11h12v9H6z${isLocked ? SHACKLE.shut : SHACKLE.open}`), el("span", {}, isLocked ? "Locked: hold to unlock" : "Lock"))
    face.setAttribute("aria-pressed", String(isLocked))
  }
  const set = (to) => {
    isLocked = to
    show()
    changed(isLocked)
  }
  const begin = () => {
    if (!isLocked || timer) return
    face.classList.add("is-held")
    timer = setTimeout(() => { end(); set(false); wasUnlocked = true }, HOLD)
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
    face.classList.remove("is-held")
  }
  // The click that ends the hold locks nothing.
  let wasUnlocked = false
  face.addEventListener("pointerdown", begin)
  face.addEventListener("keydown", ({ key, repeat }) => { if (!repeat && (key === "Enter" || key === " ")) begin() })
  for (const name of ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"]) face.addEventListener(name, end)
  face.addEventListener("click", () => {
    if (wasUnlocked) wasUnlocked = false
    else if (!isLocked) set(true)
  })
  show()
  return face
}
