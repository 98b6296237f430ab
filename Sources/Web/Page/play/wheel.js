// Wheels and pedals of the part in focus: they play, so they are no step of the history.

import { app } from "../app.js"
import { gesture } from "../control/gesture.js"
import { el } from "../element/dom.js"

/** Steps of the arrow keys. */
const STEP = 0.05

/** A fader that stands up. `isSprung`: it goes home when it is let go. `from` is the number at its lower end. */
export function wheel(title, address, { from = 0, isSprung = false } = {}) {
  const home = from < 0 ? 0.5 : 0
  const range = el("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": title })
  const cell = el("div", { class: "cell fader upright wheel" }, el("span", { class: "name" }, title), range)
  let at = home
  const set = (to, isTold = true) => {
    at = Math.min(1, Math.max(0, to))
    range.value = at
    range.setAttribute("aria-valuetext", `${Math.round((from + (1 - from) * at) * 100)} %`.replace("-", "−"))
    cell.style.setProperty("--at", at)
    cell.style.setProperty("--from", Math.min(home, at))
    cell.style.setProperty("--to", Math.max(home, at))
    // A float even for whole numbers, so that the box reads one type.
    if (isTold) app.outbox.set(address, from + (1 - from) * at)
  }
  gesture(cell, {
    across: "both",
    start: () => cell.classList.add("held"),
    move: (_, dy, scale) => set(at - (dy / cell.clientHeight) * scale),
    end: () => { cell.classList.remove("held"); if (isSprung) set(home) },
    twice: () => set(home),
    tap: () => range.focus({ preventScroll: true }),
  })
  range.addEventListener("input", () => set(Number(range.value)))
  range.addEventListener("keydown", ({ key }) => {
    const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key]
    if (way) set(at + way * STEP)
  })
  if (isSprung) for (const end of ["keyup", "blur"]) range.addEventListener(end, () => { if (at !== home) set(home) })
  set(home, false)
  return cell
}

/** A pedal: it stays down at a tap, and while it is held. */
export function pedal(title, address) {
  const word = el("span", { class: "word" })
  const face = el("button", { type: "button", class: "cell toggle pedal", role: "switch", "aria-label": title }, el("span", { class: "name" }, title), el("span", { class: "lamp", "aria-hidden": "true" }), word)
  let isDown = false
  const show = () => {
    face.setAttribute("aria-checked", String(isDown))
    word.textContent = isDown ? "down" : "up"
  }
  face.addEventListener("click", () => {
    isDown = !isDown
    app.outbox.set(address, isDown ? 1 : 0)
    show()
  })
  show()
  return face
}
