// A keyboard to play: one key for each finger, which may slide. The arrow keys and the space bar play it too.

import { el, svg } from "../element/dom.js"
import { onRemoved, sweep } from "../element/lifetime.js"
import { keyName } from "../model/numbers.js"
import { press, release } from "./notes.js"

const BLACK = [0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0]
const isBlack = (key) => BLACK[key % 12] === 1
/** The softest and the loudest velocity: near the upper edge of a key, and at its front. */
const SOFTEST = 0.35, LOUDEST = 1

export function keyboard({ from = 48, to = 84 } = {}) {
  const fingers = new Map()
  let whites = 0
  const keys = []
  for (let key = from; key <= to; key++) {
    const place = isBlack(key) ? whites - 0.31 : whites++
    keys.push(el("button", { type: "button", class: `key ${isBlack(key) ? "black" : "white"}`, "--place": place, "data-key": key, tabindex: -1, "aria-label": keyName(key), "aria-pressed": "false" }, key % 12 === 0 && el("span", {}, keyName(key))))
  }
  const board = el("div", { class: "keys", role: "group", "aria-label": "Keys", "--whites": whites }, keys)
  keys[Math.floor(keys.length / 2)].tabIndex = 0

  const show = (key) => {
    const isDown = [...fingers.values()].includes(key)
    key.classList.toggle("down", isDown)
    key.setAttribute("aria-pressed", String(isDown))
  }
  const put = (finger, key, velocity) => {
    const before = fingers.get(finger)
    if (before === key) return
    key ? fingers.set(finger, key) : fingers.delete(finger)
    if (key) {
      press(Number(key.dataset.key), velocity)
      show(key)
    }
    if (before) {
      release(Number(before.dataset.key))
      show(before)
    }
  }
  const under = (event) => {
    const key = document.elementFromPoint(event.clientX, event.clientY)?.closest(".key")
    return key && board.contains(key) ? key : undefined
  }
  const velocity = (event, key) => {
    if (event.pointerType === "pen" && event.pressure > 0) return SOFTEST + (LOUDEST - SOFTEST) * event.pressure
    const box = key.getBoundingClientRect()
    return SOFTEST + (LOUDEST - SOFTEST) * Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
  }
  const move = (event) => {
    const key = under(event)
    put(event.pointerId, key, key && velocity(event, key))
  }
  board.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return
    board.setPointerCapture(event.pointerId)
    // A finger that misses a key may slide onto one.
    fingers.set(event.pointerId, undefined)
    move(event)
  })
  board.addEventListener("pointermove", (event) => { if (fingers.has(event.pointerId)) move(event) })
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) board.addEventListener(name, (event) => put(event.pointerId, undefined))
  board.addEventListener("keydown", (event) => {
    const at = keys.indexOf(document.activeElement), way = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (way && keys[at + way]) {
      keys[at].tabIndex = -1
      keys[at + way].tabIndex = 0
      keys[at + way].focus()
    } else if ((event.key === " " || event.key === "Enter") && at >= 0) {
      if (!event.repeat) put("key", keys[at], 0.8)
    } else return
    event.preventDefault()
  })
  board.addEventListener("keyup", (event) => { if (event.key === " " || event.key === "Enter") put("key", undefined) })
  board.addEventListener("focusout", () => put("key", undefined))
  onRemoved(board, () => [...fingers.keys()].forEach((finger) => put(finger, undefined)))
  return board
}

const OCTAVES = 3, WHITES = 7 * OCTAVES
const BLACKS = [0, 1, 3, 4, 5]

/** Keys as small as a word. */
export function tinyKeys() {
  const blacks = Array.from({ length: OCTAVES }, (_, octave) => BLACKS.map((white) => (octave * 7 + white) * 10 + 7)).flat()
  const rect = (x, width, height, kind) => svg("rect", { x, y: 0, width, height, class: kind })
  return el("span", { class: "thumbnail" }, svg("svg", { viewBox: `0 0 ${WHITES * 10} 40`, preserveAspectRatio: "none", "aria-hidden": "true" },
    Array.from({ length: WHITES }, (_, i) => rect(i * 10, 9, 40, "tiny-white")), blacks.map((x) => rect(x, 6, 24, "tiny-black"))))
}

/** The range of the keys, by the width of the page. */
const range = () => (innerWidth < 700 ? { from: 48, to: 67 } : innerWidth < 1100 ? { from: 48, to: 84 } : { from: 36, to: 96 })

/** Shows or hides keys below the view. */
export function toggleDock() {
  const isShown = document.body.classList.toggle("shows-keys")
  document.getElementById("dock").replaceChildren(...(isShown ? [keyboard(range())] : []))
  sweep()
}
