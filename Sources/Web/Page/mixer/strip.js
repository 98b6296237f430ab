// The strip of a part, and that of the master.

import { app } from "../app.js"
import { toggle } from "../control/control.js"
import { fader } from "../control/fader.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { clock } from "../model/numbers.js"
import { meter } from "../monitor/meter.js"

/** The strip of a part. `section` has its knobs; `isUpright` makes its fader upright, where there is room. */
export function strip(section, part, isUpright) {
  const of = (knob) => knob && app.tree.ofPart(part, knob)
  const [level, pan, mute, on] = [of(section.knob("level")), of(section.knob("pan")), of(section.knob("mute")), of(section.switch ?? section.knob("on"))]
  const name = el("span")
  const face = el("button", { type: "button", class: "part-name", onclick: () => app.tell("/focus", part) }, el("b", {}, part), el("small", {}, "in focus"), name)
  const frame = el("section", { class: "strip-of-part", "data-hue": "silver" }, face,
    pan && fader(pan, 2, { title: `Part ${part} pan`, caption: "Pan" }),
    el("div", { class: "rise" }, level && fader(level, isUpright ? 1 : 2, { isUpright, title: `Part ${part} level`, caption: isUpright ? "" : "Level" }), meter(`/part/${part}/peak`, `Part ${part} peak`, { isFlat: false })),
    el("div", { class: "switches" }, on && toggle(on, { title: `Part ${part} on`, caption: "On" }), mute && toggle(mute, { title: `Part ${part} mute`, caption: "Mute" })))
  const show = () => {
    const words = app.values.get(`/part/${part}/preset/name`, "") || "No preset"
    const isFocus = app.focus === part
    name.textContent = words
    frame.setAttribute("aria-label", `Part ${part}, ${words}`)
    face.setAttribute("aria-label", `Part ${part}, ${words}${isFocus ? ", in focus" : ""}`)
    face.setAttribute("aria-pressed", String(isFocus))
    frame.classList.toggle("in-focus", isFocus)
    frame.classList.toggle("is-off", !on?.isOn || Boolean(mute?.isOn))
  }
  onRemoved(frame, app.values.listen("/focus", show), app.values.listen(`/part/${part}/preset/name`, show), on?.listen(show), mute?.listen(show))
  show()
  return frame
}

/** The strip of the master: its knobs, meters and the record button. */
export function master(sections, isUpright) {
  const section = sections.find((one) => one.knob("level"))
  const level = section?.knob("level")
  const others = section?.all.filter((knob) => knob !== level) ?? []
  return el("section", { class: "strip-of-part master", "data-hue": "silver", "aria-label": "Master" },
    el("h2", {}, "Master"), others.map((knob) => fader(knob, 2)),
    el("div", { class: "rise" }, level && fader(level, isUpright ? 0 : 1, { isUpright, title: "Master level", caption: isUpright ? "" : "Level" }),
      meter("/status/left", "Left"), meter("/status/right", "Right"), meter("/status/reduction", "Limiter", { isReduction: true })),
    el("div", { class: "switches" }, recordButton()))
}

/** The button that begins and ends a recording, and shows its length. */
export function recordButton() {
  const face = button("● Record", () => app.tell("/record", isOn() ? 0 : 1), "record")
  const isOn = () => app.values.get("/record", 0) > 0
  const show = () => {
    const length = app.values.get("/record/text", "")
    face.textContent = isOn() ? `■ ${length || clock(0)}` : "● Record"
    face.setAttribute("aria-pressed", String(isOn()))
    face.setAttribute("aria-label", isOn() ? `Stop recording, ${length}` : "Record")
  }
  onRemoved(face, app.values.listen("/record", show), app.values.listen("/record/text", show))
  show()
  return face
}
