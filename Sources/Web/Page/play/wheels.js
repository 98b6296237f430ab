// Wheels, pedals and the pad of the part in focus: they play, so they are no step of the history.

import { app } from "../app.js"
import { gesture } from "../control/gesture.js"
import { el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"

/** Steps of the arrow keys. */
const STEP = 0.05

/** An upright fader. `isSprung`: it returns to rest when released. `from` is the number at its lower end. */
export function wheel(title, address, { from = 0, isSprung = false } = {}) {
  const home = from < 0 ? 0.5 : 0
  const range = el("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": title })
  const cell = el("div", { class: "cell fader upright wheel" }, el("span", { class: "name" }, title), range)
  let at = home
  const set = (to, isSent = true) => {
    at = Math.min(1, Math.max(0, to))
    range.value = at
    range.setAttribute("aria-valuetext", `${Math.round((from + (1 - from) * at) * 100)} %`.replace("-", "−"))
    cell.style.setProperty("--at", at)
    cell.style.setProperty("--from", Math.min(home, at))
    cell.style.setProperty("--to", Math.max(home, at))
    // A float even for whole numbers, so that the box reads one type.
    if (isSent) app.outbox.set(address, from + (1 - from) * at)
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

/** A pedal: a tap presses it, and the next one releases it. */
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

const ADDRESS = "/play/xy"

/** One finger plays pitch from left to right, and loudness upwards. */
export function pad() {
  const dot = el("span", { class: "dot", hidden: true })
  const frame = el("div", { class: "pad", role: "img", "aria-label": "Pad: pitch from left to right over two octaves, loudness upwards" },
    el("span", { class: "axis-x" }, "pitch"), el("span", { class: "axis-y" }, "loud"), dot)
  let finger, position, isScheduled = false
  const send = () => {
    isScheduled = false
    if (finger !== undefined) app.socket.send(ADDRESS, ...position, 1)
  }
  const move = (event) => {
    const box = frame.getBoundingClientRect()
    const inside = (value) => Math.min(1, Math.max(0, value))
    const [x, y] = [inside((event.clientX - box.left) / box.width), inside((event.clientY - box.top) / box.height)]
    dot.style.translate = `${x * box.width}px ${y * box.height}px`
    position = [x, 1 - y]
    if (!isScheduled) requestAnimationFrame(send)
    isScheduled = true
  }
  const end = (event) => {
    if (finger === undefined || (event && event.pointerId !== finger)) return
    finger = undefined
    dot.hidden = true
    app.socket.send(ADDRESS, ...position, 0)
  }
  frame.addEventListener("pointerdown", (event) => {
    if (finger !== undefined || event.button > 0) return
    finger = event.pointerId
    frame.setPointerCapture(finger)
    dot.hidden = false
    move(event)
  })
  frame.addEventListener("pointermove", (event) => { if (event.pointerId === finger) move(event) })
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) frame.addEventListener(name, end)
  const leave = () => end()
  addEventListener("blur", leave)
  onRemoved(frame, leave, () => removeEventListener("blur", leave))
  return frame
}
