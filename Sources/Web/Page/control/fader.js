// A cell that is a fader: name and value, with the position as a tint behind the words. A native range input inside
// serves the keyboard and screen readers.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { say } from "../element/toast.js"
import { isLearning, openCard, touch } from "./card.js"
import { gesture } from "./gesture.js"
import { reach } from "./modulation.js"
import { beginGesture, turnTo } from "./turn.js"

/** The shortest drag over the whole range, pixels. */
const LEAST_LENGTH = 160
/** Steps of the keys, as a part of the range. */
const STEP = 0.01, FINE = 0.001
/** Milliseconds in which presses of a key are one step of the history. */
const PRESSES = 700
/** Milliseconds for which the name of another client that turns the knob is shown. */
const REMOTE_SHOWN = 2500

/** `title` is its name for a screen reader, `caption` the text in the cell; `isUpright` is for mixers. */
export function fader(knob, rank = 1, { isUpright = false, title = knob.title, caption = title } = {}) {
  const value = el("output", { class: "value" })
  const unit = el("span", { class: "unit" })
  const flag = el("span", { class: "flag", hidden: true })
  const range = el("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": title, "aria-description": knob.about })
  const cell = el("div", { class: `cell fader rank-${rank}${isUpright ? " upright" : ""}`, title: knob.about, "data-knob": knob.address },
    el("span", { class: "name" }, caption), el("span", { class: "reading" }, value, unit), reach(knob), flag, range)

  const show = onceAFrame(() => {
    const [number, words] = knob.words
    value.textContent = number
    unit.textContent = words
    range.value = knob.at
    range.setAttribute("aria-valuetext", knob.sentence)
    cell.style.setProperty("--at", knob.at)
    cell.style.setProperty("--from", Math.min(knob.zero, knob.at))
    cell.style.setProperty("--to", Math.max(knob.zero, knob.at))
    cell.classList.toggle("at-default", knob.isAtDefault)
  })

  let endGesture
  gesture(cell, {
    across: isUpright ? "y" : "x",
    start() {
      endGesture = beginGesture(knob)
      cell.classList.add("held")
    },
    move(dx, dy, scale) {
      const length = isUpright ? cell.clientHeight : Math.max(LEAST_LENGTH, cell.clientWidth)
      showFlag(flag, scale === 1 ? "" : scale < 0.2 ? "FINE ⅒" : "FINE ¼", "fine")
      knob.set(knob.at + ((isUpright ? -dy : dx) / length) * scale)
    },
    end() {
      showFlag(flag, "")
      cell.classList.remove("held")
      endGesture()
    },
    twice() {
      turnTo(knob, knob.initialAt)
      say(`${title}: default`)
    },
    hold: () => openCard(knob, title),
    tap() {
      range.focus({ preventScroll: true })
      if (isLearning()) touch(knob)
    },
  })
  handleKeys(range, knob, title)

  let timer
  const showRemote = (name) => {
    showFlag(flag, name, "theirs")
    cell.classList.add("theirs")
    clearTimeout(timer)
    timer = setTimeout(() => {
      cell.classList.remove("theirs")
      showFlag(flag, "")
    }, REMOTE_SHOWN)
  }
  onRemoved(cell, knob.listen(show), app.remoteChanges.listen(knob, showRemote))
  show()
  return cell
}

function showFlag(flag, words, kind = "") {
  flag.hidden = !words
  flag.textContent = words
  flag.className = `flag ${kind}`
}

/** Arrows move by a hundredth, with Shift by a thousandth; Page ten steps; Delete goes to the default; Enter asks for a number. */
function handleKeys(range, knob, title) {
  let endGesture, timer
  const settle = () => {
    clearTimeout(timer)
    endGesture?.()
    endGesture = undefined
  }
  const turn = (at) => {
    endGesture ??= beginGesture(knob)
    clearTimeout(timer)
    timer = setTimeout(settle, PRESSES)
    knob.set(at)
  }
  // A screen reader moves the range itself.
  range.addEventListener("input", () => turn(Number(range.value)))
  range.addEventListener("blur", settle)
  range.addEventListener("keydown", (event) => {
    const { key } = event
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key]
    const one = knob.step ? knob.step / (knob.high - knob.low) : event.shiftKey ? FINE : STEP
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (steps) turn(knob.at + steps * one)
    else if (key === "Home" || key === "End") turn(key === "Home" ? 0 : 1)
    else if (key === "Delete" || key === "Backspace") turn(knob.initialAt)
    else if (key === "Enter") openCard(knob, title)
    else return
    event.preventDefault()
  })
}
