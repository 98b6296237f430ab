// Which keys each part plays, as bars over the keys: the ends and the whole bar can be dragged.

import { app, PARTS } from "../app.js"
import { gesture } from "../control/gesture.js"
import { beginGesture } from "../control/turn.js"
import { button, el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { keyName, positionOf } from "../model/numbers.js"

/** The keys that are drawn: those of a piano. */
const LOWEST = 21, HIGHEST = 108
const KEYS = HIGHEST - LOWEST + 1

/** The keys of a part. `section` has the knobs `low` and `high`; `on` is the switch of the part. */
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
  // A drag of an end beyond the drawn keys begins at the edge.
  const drag = (element, knobs) => {
    let endGesture, at
    gesture(element, {
      across: "both",
      start() {
        endGesture = beginGesture(...knobs)
        at = knobs.map((knob) => Math.min(HIGHEST, Math.max(LOWEST, knob.number)))
        bar.classList.add("held")
      },
      move(dx) {
        const keys = (dx / track.clientWidth) * KEYS
        at = at.map((key) => key + keys)
        knobs.forEach((knob, index) => turn(knob, at[index]))
      },
      end() { bar.classList.remove("held"); endGesture() },
      tap: () => app.tell("/focus", part),
      twice() {
        const endReset = beginGesture(low, high)
        for (const knob of [low, high]) knob.set(knob.initialAt)
        endReset()
      },
    })
  }
  function turn(knob, key) {
    // The edges mean the first and the last MIDI key, which a piano lacks.
    let to = key <= LOWEST ? 0 : key >= HIGHEST ? 127 : Math.round(key)
    if (knob === low) to = Math.min(to, high.number)
    if (knob === high) to = Math.max(to, low.number)
    knob.set(positionOf(to, knob))
  }
  drag(ends[0], [low])
  drag(ends[1], [high])
  drag(words, [low, high])
  onRemoved(row, low.listen(show), high.listen(show), on?.listen(show), app.values.listen("/focus", show), app.values.listen(`/part/${part}/preset/name`, show))
  show()
  return row
}

const inside = (share) => Math.min(1, Math.max(0, share))

/** One keyboard for two parts: split it, layer it, or give it back to one. */
export function splitButtons() {
  const single = button("Single", () => app.tell("/single", 1), "", { title: "Part 1 plays all keys" })
  const split = button("Split", () => app.tell("/split", 1), "", { title: "The next key struck splits the keyboard between parts 1 and 2" })
  const layer = button("Layer", () => app.tell("/layer", 1), "", { title: "Parts 1 and 2 play all keys" })
  const learn = button("Learn keys", () => app.tell("/key/learn", 1), "", { title: "The next two keys struck become the range of the part in focus" })
  const isOn = (address) => app.values.get(address, 0) > 0
  const show = () => {
    const [isSplit, isLayer] = [isOn("/split/on"), isOn("/layer/on")]
    split.textContent = isOn("/split/armed") ? "Strike a key…" : "Split"
    learn.textContent = isOn("/key/learn/armed") ? "Strike two keys…" : "Learn keys"
    for (const [face, is] of [[single, !isSplit && !isLayer], [split, isSplit || isOn("/split/armed")], [layer, isLayer], [learn, isOn("/key/learn/armed")]]) face.setAttribute("aria-pressed", String(is))
  }
  const group = el("div", { class: "actions choice-row" }, single, split, layer, learn)
  onRemoved(group, ...["/split/on", "/split/armed", "/layer/on", "/key/learn/armed"].map((address) => app.values.listen(address, show)))
  show()
  return group
}
