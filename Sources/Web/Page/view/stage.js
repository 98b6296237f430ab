// The view for the stage: readable from two metres, playable without looking. The lock is that of the box: while it
// is on, every surface accepts only what a show needs.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { button, el, icon } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { panic } from "../frame/top.js"
import { go } from "../frame/views.js"
import { loadNext } from "../presets/acts.js"
import { library, playingAddresses } from "../presets/library.js"

/** Whether a setlist is played; otherwise previous and next are presets. */
const hasSet = () => app.values.get("/set/count", 0) > 0
const step = (sign) => (hasSet() ? app.tell(sign > 0 ? "/set/next" : "/set/previous", 1) : loadNext(sign))

export function view() {
  const { tree } = app
  const title = el("h1"), page = el("span", { class: "page-name" }), notes = el("p", { class: "notes" }), [before, after] = [el("b"), el("b")]
  const macros = tree.page("play").flatMap((section) => section.all).filter(({ address }) => address.startsWith("/macro/"))
  const morph = tree.sections.flatMap((section) => section.all).find(({ address }) => address === "/morph/position")
  const level = tree.page("master").map((section) => section.knob("level")).find(Boolean)
  const presets = slots()
  const frame = el("div", { class: "stage" },
    el("div", { class: "place" }, button(["‹", el("span", {}, " Leave")], () => go("panel"), "far quiet keeps", { "aria-label": "Leave the stage" }), page, el("span", { class: "spring" }), tempoButton(), button("Panic", panic, "panic far keeps")),
    title, el("div", {}, notes, lyrics()),
    el("div", { class: "ways" },
      button([el("span", { class: "way" }, "◀ Previous"), before], () => step(-1), "way-button keeps"),
      button([el("span", { class: "way" }, "Next ▶"), after], () => step(1), "way-button next keeps")),
    letters(), presets,
    el("div", { class: "turns" }, morph && fader(morph, 0, { title: "Morph" }), macros.map((knob) => fader(knob, 0)), level && fader(level, 0, { title: "Master" })),
    lockButton())

  /** A long title is smaller, so that it is not cut off. */
  const entitle = (words) => {
    title.textContent = words
    title.style.setProperty("--letters", words.length)
  }
  const show = onceAFrame(() => {
    const name = app.values.get("/preset/name", "")
    presets.hidden = hasSet()
    notes.textContent = hasSet() ? app.values.get("/set/notes", "") : ""
    if (hasSet()) {
      entitle(app.values.get("/set/title", "") || app.values.get("/set/name", ""))
      page.textContent = `${app.values.get("/set/name", "")} · ${app.values.get("/set/place/text", "")}`
      before.textContent = ""
      after.textContent = app.values.get("/set/next/title", "")
      return
    }
    entitle(name || "No preset")
    page.textContent = `Part ${app.focus} · ${app.values.get("/preset/page", "")}`
    const at = library.all.indexOf(library.playing()), { length } = library.all
    before.textContent = at < 0 ? "" : library.all[(at - 1 + length) % length].name
    after.textContent = at < 0 ? "" : library.all[(at + 1) % length].name
  })
  onRemoved(frame, library.listen(show), ...[...playingAddresses(), "/preset/page", "/focus"].map((address) => app.values.listen(address, show)), app.values.listenAll("/set/", show), () => document.body.classList.toggle("is-locked", app.values.get("/lock", 0) > 0 && !!document.querySelector(".stage")))
  const ask = () => { if (app.socket.isOpen) library.refresh().catch(() => {}) }
  app.socket.addEventListener("change", ask)
  onRemoved(frame, () => app.socket.removeEventListener("change", ask))
  ask()
  show()
  return frame
}

/** The line of the song's words that is sung, and the one that follows. */
function lyrics() {
  const now = el("b"), next = el("span"), frame = el("p", { class: "lyrics", "aria-label": "Words of the song" }, now, next)
  const show = () => {
    now.textContent = app.values.get("/song/lyric", "")
    next.textContent = app.values.get("/song/lyric/next", "")
    frame.hidden = app.values.get("/song/playing", 0) < 1 || !now.textContent && !next.textContent
  }
  onRemoved(frame, ...["lyric", "lyric/next", "playing"].map((word) => app.values.listen(`/song/${word}`, show)))
  show()
  return frame
}

const LETTERS = "abcdefgh"

/** The snapshots of the part: a short press recalls one, a press of half a second stores the sound in it. */
function letters() {
  const faces = [...LETTERS].map((letter) => {
    const name = el("span"), face = el("button", { type: "button", class: "letter keeps" }, el("b", {}, letter.toUpperCase()), name)
    let isDown = false
    const press = (isPressed) => {
      if (isDown === isPressed) return
      isDown = isPressed
      app.tell(`/snapshot/${letter}`, isPressed ? 1 : 0)
    }
    face.addEventListener("pointerdown", () => press(true))
    face.addEventListener("keydown", ({ key, repeat }) => { if (!repeat && (key === "Enter" || key === " ")) press(true) })
    for (const end of ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"]) face.addEventListener(end, () => press(false))
    const show = () => {
      const isFilled = app.values.get(`/snapshot/${letter}/filled`, 0) > 0
      name.textContent = isFilled ? app.values.get(`/snapshot/${letter}/name`, "") || "●" : ""
      face.setAttribute("aria-label", `Snapshot ${letter.toUpperCase()}, ${isFilled ? name.textContent : "empty"}`)
      face.setAttribute("aria-pressed", String(app.values.get(`/snapshot/${letter}/current`, 0) > 0))
    }
    onRemoved(face, () => press(false), app.values.listenAll(`/snapshot/${letter}/`, show))
    show()
    return face
  })
  return el("div", { class: "letters", role: "group", "aria-label": "Snapshots" }, faces)
}

/** The tempo, to tap. */
function tempoButton() {
  const knob = app.tree.sections.flatMap((section) => section.all).find((one) => one.unit === "bpm")
  const number = el("b"), lamp = el("span", { class: "blink", "aria-hidden": "true" })
  const face = el("button", { type: "button", class: "far tempo keeps", onpointerdown: () => app.tell("/tempo/tap", 1) }, lamp, number, el("span", { class: "bpm" }, "bpm · tap"))
  face.addEventListener("click", (event) => { if (!event.detail) app.tell("/tempo/tap", 1) })
  const show = () => {
    const tempo = Math.round(knob?.number ?? 120)
    number.textContent = tempo
    lamp.style.animationDuration = `${60 / tempo}s`
    face.setAttribute("aria-label", `Tempo ${tempo}, tap`)
  }
  onRemoved(face, knob?.listen(show))
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
  onRemoved(frame, app.values.listenAll("/preset/slot/", (_, address) => show(Number(address.split("/")[3]))))
  faces.forEach((_, i) => show(i + 1))
  return frame
}

/** The milliseconds after which the box unlocks, for the bar that fills. */
const HOLD = 1000
const SHACKLE = { open: "M8.5 11V7a3.5 3.5 0 0 1 6.8-1.2", shut: "M8.5 11V7a3.500 3.500 0 0 1 7 0v4" }

/** The lock against stray touches: a tap locks, a hold of a second unlocks. The box counts the second. */
function lockButton() {
  const face = el("button", { type: "button", class: "lock keeps", "--hold": `${HOLD}ms` })
  const isLocked = () => app.values.get("/lock", 0) > 0
  const show = () => {
    face.replaceChildren(icon(`M6 11h12v9H6z${isLocked() ? SHACKLE.shut : SHACKLE.open}`), el("span", {}, isLocked() ? "Locked: hold to unlock" : "Lock"))
    face.setAttribute("aria-pressed", String(isLocked()))
    document.body.classList.toggle("is-locked", isLocked())
    if (!isLocked()) face.classList.remove("is-held")
  }
  let isDown = false
  const press = (isPressed) => {
    if (isDown === isPressed) return
    isDown = isPressed
    face.classList.toggle("is-held", isPressed && isLocked())
    app.tell("/lock/press", isPressed ? 1 : 0)
  }
  face.addEventListener("pointerdown", () => press(true))
  face.addEventListener("keydown", ({ key, repeat }) => { if (!repeat && (key === "Enter" || key === " ")) press(true) })
  for (const name of ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"]) face.addEventListener(name, () => press(false))
  onRemoved(face, () => press(false), app.values.listen("/lock", show))
  show()
  return face
}
