// The arpeggiator: its knobs, two large buttons for its latch, and the steps of the sequence.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { steps } from "../play/steps.js"

export function arpPage(sections) {
  for (const one of sections) {
    if (one.id === "section-arp") one.append(latch())
    if (one.id === "section-sequence") one.append(steps())
  }
  return sections
}

/** LATCH holds the keys or releases them; CLEAR removes them at once. */
function latch() {
  const knob = app.tree.knobs.get("/arp/latch")
  const face = button("Latch", () => knob.set(knob.at > 0 ? 0 : 1))
  const show = () => face.setAttribute("aria-pressed", String(knob.at > 0))
  onRemoved(face, knob.listen(show))
  show()
  return el("div", { class: "acts large" }, face, button("Clear", () => app.tell("/arp/clear", 1), "danger"))
}
