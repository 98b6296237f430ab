// One keyboard for two parts: split it, layer it, or give it back to one.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { untilGone } from "../element/frame.js"

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
  untilGone(group, ...["/split/on", "/split/armed", "/layer/on", "/key/learn/armed"].map((address) => app.values.listen(address, show)))
  show()
  return group
}
