// Which keys each part plays, as bars over the keys: the ends and the whole bar can be dragged.

import { app, PARTS } from "../app.js"
import { gesture } from "../control/gesture.js"
import { takeInHand } from "../control/turn.js"
import { el } from "../element/dom.js"
import { onceAFrame, untilGone } from "../element/frame.js"
import { positionOf } from "../model/curve.js"
import { keyName } from "../model/words.js"

/** The keys that are drawn: those of a piano. */
const LOWEST = 21, HIGHEST = 108
const KEYS = HIGHEST - LOWEST + 1

/** `section` has the knobs `low` and `high`; `on` is the switch of a part. */
export function keyMap(section, on) {
  const [low, high] = [section.knob("low"), section.knob("high")]
  const lanes = Array.from({ length: PARTS }, (_, i) => lane(i + 1, app.tree.ofPart(i + 1, low), app.tree.ofPart(i + 1, high), on && app.tree.ofPart(i + 1, on)))
  return el("div", { class: "ranges", "--keys": KEYS }, lanes, el("div", { class: "ruler", "aria-hidden": "true" }, octaves()))
}

const octaves = () => Array.from({ length: 8 }, (_, i) => el("span", { "--at": (24 + 12 * i - LOWEST) / KEYS }, `C${i + 1}`))

function lane(part, low, high, on) {
  const words = el("span", { class: "words" })
  const ends = [el("span", { class: "end low" }), el("span", { class: "end high" })]
  const bar = el("div", { class: "bar" }, ends[0], words, ends[1])
  const track = el("div", { class: "lane" }, bar)
  const row = el("div", { class: "range" }, el("button", { type: "button", class: "quiet part", "aria-label": `Part ${part}`, onclick: () => app.tell("/focus", part) }, part), track)
  const show = onceAFrame(() => {
    const [from, to] = [Math.round(low.number), Math.round(high.number)]
    const name = app.values.get(`/part/${part}/preset/name`, "") || `Part ${part}`
    const keys = from <= 0 && to >= 127 ? "all keys" : from <= 0 ? `up to ${keyName(to)}` : to >= 127 ? `from ${keyName(from)}` : `${keyName(from)} to ${keyName(to)}`
    words.textContent = `${name}, ${keys}`
    bar.style.setProperty("--low", inside((from - LOWEST) / KEYS))
    bar.style.setProperty("--high", inside((to + 1 - LOWEST) / KEYS))
    row.classList.toggle("is-off", on ? !on.isOn : false)
    row.classList.toggle("in-focus", app.focus === part)
  })
  // An end beyond the drawn keys comes in from the edge.
  const drag = (element, knobs) => {
    let letGo, at
    gesture(element, {
      across: "both",
      start() {
        letGo = takeInHand(...knobs)
        at = knobs.map((knob) => Math.min(HIGHEST, Math.max(LOWEST, knob.number)))
        bar.classList.add("held")
      },
      move(dx) {
        const keys = (dx / track.clientWidth) * KEYS
        at = at.map((key) => key + keys)
        knobs.forEach((knob, index) => turn(knob, at[index]))
      },
      end() { bar.classList.remove("held"); letGo() },
      tap: () => app.tell("/focus", part),
      twice() {
        const done = takeInHand(low, high)
        for (const knob of [low, high]) knob.set(knob.initialAt)
        done()
      },
    })
  }
  function turn(knob, key) {
    // A whole piano means all keys, also those that it lacks.
    let to = key <= LOWEST ? 0 : key >= HIGHEST ? 127 : Math.round(key)
    if (knob === low) to = Math.min(to, high.number)
    if (knob === high) to = Math.max(to, low.number)
    knob.set(positionOf(to, knob))
  }
  drag(ends[0], [low])
  drag(ends[1], [high])
  drag(words, [low, high])
  untilGone(row, low.listen(show), high.listen(show), on?.listen(show), app.values.listen("/focus", show), app.values.listen(`/part/${part}/preset/name`, show))
  show()
  return row
}

const inside = (share) => Math.min(1, Math.max(0, share))
