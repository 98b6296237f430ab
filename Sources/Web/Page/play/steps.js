// The steps of the sequence of the part in focus, sixteen at a time, and the buttons that record them by playing.

import { app } from "../app.js"
import { button, el, roving } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { sayProblem } from "../element/toast.js"
import { Int } from "../link/osc.js"

const SLOTS = 16, PAGES = 4
/** Milliseconds for which a value set here takes precedence over values from the box. */
const PRECEDENCE = 400

/** The grid and its buttons, for the section of the sequence. */
export function steps() {
  const slots = Array.from({ length: SLOTS }, (_, index) => slot(index + 1))
  const numbers = () => slots.forEach((one, index) => one.count((app.values.get("/sequence/page", 1) - 1) * SLOTS + index + 1))
  const frame = el("div", { class: "sequence" },
    el("div", { class: "acts" }, pages(numbers), el("span", { class: "spring" }), record(),
      act("Rest", "/sequence/rest"), act("Tie", "/sequence/tie"), button("Clear", clear)),
    el("div", { class: "steps" }, slots.map((one) => one.element)))
  numbers()
  return frame
}

const act = (words, address) => button(words, () => app.tell(address, 1))

function clear() {
  app.tell("/sequence/clear", 1)
  remember("clear the sequence")
}

/** Adds a step to the history for a change that the box itself undoes. */
function remember(words) {
  app.history.rememberAct(words, () => app.tell("/preset/undo", 1), () => app.tell("/preset/redo", 1))
}

/** Follows a value of the box while an element is in the page. */
function follow(element, address, show) {
  onRemoved(element, app.values.listen(address, show))
  const now = app.values.get(address)
  if (now !== undefined) show(now)
}

function pages(turned) {
  const all = Array.from({ length: PAGES }, (_, index) => button(`${index * SLOTS + 1}–${(index + 1) * SLOTS}`, () => turn(index + 1)))
  const group = roving(el("div", { class: "pages", role: "group", "aria-label": "Steps that are shown" }, all))
  const show = (page) => {
    all.forEach((one, index) => one.setAttribute("aria-pressed", String(index + 1 === page)))
    turned()
  }
  all.forEach((one) => one.setAttribute("aria-pressed", "false"))
  onRemoved(group, app.values.listen("/sequence/page", show))
  queueMicrotask(() => show(app.values.get("/sequence/page", 1)))
  return group
}

/** Turns the page, after the values set on this one have been sent. */
function turn(page) {
  app.outbox.flush()
  app.tell("/sequence/page", page)
}

function record() {
  const face = button("Record", () => app.tell("/sequence/record", face.getAttribute("aria-pressed") === "true" ? 0 : 1), "record", { "aria-pressed": "false" })
  follow(face, "/sequence/record", (isOn) => face.setAttribute("aria-pressed", String(isOn === 1)))
  rememberRecordings(face)
  return face
}

/** Remembers each recording of the part in focus that has changed a step, when it has ended. */
function rememberRecordings(element) {
  let part, isChanged = false
  const note = (_, address) => { if (!/\/(at|text)$/.test(address)) isChanged = true }
  onRemoved(element, app.values.listenAll("/sequence/slot/", note))
  onRemoved(element, app.values.listen("/sequence/length/value", note))
  follow(element, "/sequence/record", (isOn) => {
    if (isOn === 1) {
      if (part !== app.focus) [part, isChanged] = [app.focus, false]
      return
    }
    const recorded = isChanged ? part : undefined
    part = undefined
    // A change of focus sends 0 too, perhaps before the new focus.
    if (recorded) setTimeout(() => { if (app.focus === recorded) remember("record the sequence") }, 50)
  })
}

function slot(number) {
  const stem = `/sequence/slot/${number}/`
  const name = el("b", { class: "number" })
  const parts = [note(stem), bar(stem + "velocity", "velocity", 0, 127), bar(stem + "gate", "gate", 2, 200, 2), ...strokes(stem, number)]
  const element = el("div", { class: "step", role: "group" }, name, parts)
  const show = () => element.classList.toggle("rest", app.values.get(stem + "text") === "rest")
  follow(element, stem + "text", show)
  follow(element, stem + "at", (isLit) => element.classList.toggle("lit", isLit === 1))
  return { element, count: (step) => {
    name.textContent = step
    element.setAttribute("aria-label", `Step ${step}`)
  } }
}

/** An input of a whole number, which shows the box's value unless it has just been set here. */
function whole(input, address, show = () => {}) {
  let touchedAt = -Infinity, received
  const take = (value) => {
    received = value
    const left = touchedAt + PRECEDENCE - performance.now()
    if (left > 0) return setTimeout(() => take(received), left + 10)
    if (input.value !== String(value)) input.value = value
    show(Number(value))
  }
  input.addEventListener("input", () => {
    touchedAt = performance.now()
    if (input.value === "" || !input.checkValidity()) return
    show(Number(input.value))
    app.outbox.set(address, new Int(Math.round(Number(input.value))))
  })
  input.addEventListener("blur", () => { if (received !== undefined && performance.now() - touchedAt > PRECEDENCE) input.value = received })
  follow(input, address, take)
  return input
}

const note = (stem) => whole(el("input", { type: "number", min: -60, max: 60, step: 1, value: 0, "aria-label": "note, semitones from the key" }), stem + "note")

/** A bar that stands for a number. */
function bar(address, title, min, max, step = 1) {
  const range = el("input", { type: "range", min, max, step, value: min, "aria-label": title })
  const cell = el("span", { class: `bar ${title}` }, range)
  whole(range, address, (value) => cell.style.setProperty("--at", (value - min) / (max - min)))
  return cell
}

/**
 * Strokes of a step: each click adds one, and after four comes one. Beside it is the button of a tie, which has no
 * stroke. The strokes that a tied step has without the tie are only in its text.
 */
function strokes(stem, number) {
  let count = 1, isTie = false
  const set = (to) => app.tell(stem + "strokes", to)
  const untie = async () => {
    app.outbox.flush()
    const step = (app.values.get("/sequence/page", 1) - 1) * SLOTS + number
    const address = `/part/${app.focus}/sequence/step/${step}`
    try {
      const [text] = await app.questions.ask(address)
      app.tell(address, String(text).replace(/ tie$/, ""))
    } catch (error) {
      sayProblem(error)
    }
  }
  const more = button("×1", () => { isTie ? untie() : set((count % 4) + 1) }, "strokes")
  const tie = button("Tie", () => { isTie ? untie() : set(0) }, "tie", { "aria-pressed": "false" })
  follow(more, stem + "strokes", (value) => {
    [count, isTie] = [value, value === 0]
    more.textContent = isTie ? "–" : `×${count}`
    more.setAttribute("aria-label", isTie ? "strokes: none" : `strokes: ${count}`)
    tie.setAttribute("aria-pressed", String(isTie))
  })
  return [more, tie]
}
