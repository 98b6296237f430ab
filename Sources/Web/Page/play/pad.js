// One finger plays pitch from left to right, and loudness upwards.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { untilGone } from "../element/lifetime.js"

const ADDRESS = "/play/xy"

export function pad() {
  const dot = el("span", { class: "dot", hidden: true })
  const frame = el("div", { class: "pad", role: "img", "aria-label": "Pad: pitch from left to right over two octaves, loudness upwards" },
    el("span", { class: "axis-x" }, "pitch"), el("span", { class: "axis-y" }, "loud"), dot)
  let finger, place, isAsked = false
  const send = () => {
    isAsked = false
    if (finger !== undefined) app.socket.send(ADDRESS, ...place, 1)
  }
  const move = (event) => {
    const box = frame.getBoundingClientRect()
    const inside = (value) => Math.min(1, Math.max(0, value))
    const [x, y] = [inside((event.clientX - box.left) / box.width), inside((event.clientY - box.top) / box.height)]
    dot.style.translate = `${x * box.width}px ${y * box.height}px`
    place = [x, 1 - y]
    if (!isAsked) requestAnimationFrame(send)
    isAsked = true
  }
  const end = (event) => {
    if (finger === undefined || (event && event.pointerId !== finger)) return
    finger = undefined
    dot.hidden = true
    app.socket.send(ADDRESS, ...place, 0)
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
  addEventListener("blur", () => end())
  untilGone(frame, () => end())
  return frame
}
