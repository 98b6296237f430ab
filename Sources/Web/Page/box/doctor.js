// The card of the doctor: a sentence for each finding, with a button where one helps.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { openDialog } from "../element/dialog.js"
import { untilGone } from "../element/frame.js"
import { say } from "../element/toast.js"
import { press, release } from "../play/notes.js"
import { EVERY, findings, sentence } from "./findings.js"

const SIGNS = { ok: ["✓", "fine"], warn: ["◆", "could be better"], fail: ["▲", "does not work"] }
/** Keys of the test chord, and how long it sounds in milliseconds. */
const CHORD = [60, 64, 67], LENGTH = 2000
/** The volume that a card is set to which is too low. */
const VOLUME = 0.8

export function doctor() {
  const heading = el("h2", {}, "Looking…")
  const list = el("ul", { class: "doctor-list" })
  const frame = el("section", { class: "section doctor", "data-hue": "green", "aria-label": "Is everything fine?" }, el("header", {}, heading), list,
    el("div", { class: "actions" }, button("Play a test tone", testTone), button("Look again", () => look(), "quiet")))
  const look = async () => {
    if (document.hidden || !app.socket.isOpen) return
    const all = await findings()
    const bad = all.filter(({ grade }) => grade !== "ok")
    heading.textContent = bad.length ? `${bad.length} ${bad.length === 1 ? "thing" : "things"} to look at` : "Everything is fine"
    frame.dataset.hue = bad.some(({ grade }) => grade === "fail") ? "coral" : bad.length ? "amber" : "green"
    list.replaceChildren(...all.map(finding))
  }
  const timer = setInterval(look, EVERY * 1000)
  app.socket.addEventListener("change", look)
  untilGone(frame, () => { clearInterval(timer); app.socket.removeEventListener("change", look) })
  look()
  return frame
}

function finding({ grade, thing, words, remedy }) {
  const [sign, says] = SIGNS[grade] ?? SIGNS.warn
  return el("li", { class: grade }, el("span", { class: "sign", role: "img", "aria-label": says }, sign),
    el("div", { class: "what" }, el("b", {}, sentence(thing).replace(/\.$/, "")), el("span", {}, sentence(words))), help(grade, thing, remedy))
}

/** A button where the page can help; otherwise the remedy in words. */
function help(grade, thing, remedy) {
  if (grade === "ok") return undefined
  const kind = grade === "fail" ? "strong" : ""
  if (/volume|mixer/i.test(thing)) return button("Set it to 80 %", () => { app.outbox.set("/master/card/level", VOLUME); say("The volume is at 80 %") }, kind)
  if (/card/i.test(thing)) return button("Choose a card", () => document.querySelector(".sound-card .menu")?.click(), kind)
  return remedy ? button("What to do", () => openDialog(sentence(thing).replace(/\.$/, ""), [el("p", {}, sentence(remedy))]), kind) : undefined
}

/** A chord of two seconds on the part in focus. */
function testTone() {
  CHORD.forEach((key) => press(key, 0.7))
  setTimeout(() => CHORD.forEach(release), LENGTH)
  say(`A chord on part ${app.focus}`)
}
