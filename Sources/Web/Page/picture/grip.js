// A handle of a picture, which turns one or two knobs.

import { gesture } from "../control/gesture.js"
import { beginGesture } from "../control/turn.js"
import { el } from "../element/dom.js"

/** Milliseconds without a turn after which a wheel's gesture ends. */
const WHEEL = 500
/** Change of a knob for one notch of the wheel. */
const NOTCH = 0.03

/** Its element, and `place(handle, width)`, which puts it where the picture wants it. */
export function grip() {
  let handle, endGesture, endWheelGesture, timer
  const name = el("b")
  const element = el("span", { class: "grip", "aria-hidden": "true" }, name)
  gesture(element, {
    across: "both",
    start() {
      endGesture = beginGesture(...handle.knobs)
      element.classList.add("held")
    },
    move: (dx, dy, scale) => handle.move(dx * scale, dy * scale),
    end() {
      element.classList.remove("held")
      endGesture()
    },
    twice() {
      const endReset = beginGesture(...handle.knobs)
      for (const knob of handle.knobs) knob.set(knob.initialAt)
      endReset()
    },
  })
  element.addEventListener("wheel", (event) => {
    const knob = handle.wheel
    if (!knob) return
    event.preventDefault()
    endWheelGesture ??= beginGesture(knob)
    knob.set(knob.at - Math.sign(event.deltaY) * NOTCH)
    clearTimeout(timer)
    timer = setTimeout(() => {
      endWheelGesture()
      endWheelGesture = undefined
    }, WHEEL)
  }, { passive: false })
  return {
    element,
    place(wanted, width) {
      handle = wanted
      name.textContent = wanted.text
      element.classList.toggle("disc", Boolean(wanted.isDisc))
      element.classList.toggle("is-left", wanted.x > width - 70)
      element.classList.toggle("is-low", wanted.y < 24)
      element.style.translate = `${wanted.x.toFixed(1)}px ${wanted.y.toFixed(1)}px`
    },
  }
}
