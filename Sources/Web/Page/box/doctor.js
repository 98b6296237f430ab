// The card of the doctor: a sentence for each finding, with a button where one helps.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { say } from "../element/toast.js"
import { Int } from "../link/osc.js"
import { EVERY, findings, sentence } from "./findings.js"

/** The most fine findings that are shown unfolded beside others. */
const FEW = 3
const SIGNS = { ok: ["✓", "fine"], warn: ["◆", "could be better"], fail: ["▲", "does not work"] }

export function doctor() {
  const heading = el("h2", {}, "Looking…")
  const list = el("ul", { class: "doctor-list" })
  const frame = el("section", { class: "section doctor", "data-hue": "green", "aria-label": "Is everything fine?" }, el("header", {}, heading), list,
    el("div", { class: "actions" }, button("Play a test tone", testTone), button("Look again", () => refresh(), "quiet")))
  const refresh = async () => {
    if (document.hidden || !app.socket.isOpen) return
    const all = await findings()
    const bad = all.filter(({ grade }) => grade !== "ok")
    heading.textContent = bad.length ? `${bad.length} ${bad.length === 1 ? "thing" : "things"} to look at` : "Everything is fine"
    frame.dataset.hue = bad.some(({ grade }) => grade === "fail") ? "coral" : bad.length ? "amber" : "green"
    const fine = all.filter(({ grade }) => grade === "ok")
    const rows = (some) => some.map((one) => finding(one, refresh))
    list.replaceChildren(...rows(bad), ...(bad.length && fine.length > FEW ? [rest(fine, rows(fine))] : rows(fine)))
  }
  const timer = setInterval(refresh, EVERY * 1000)
  app.socket.addEventListener("change", refresh)
  onRemoved(frame, () => { clearInterval(timer); app.socket.removeEventListener("change", refresh) })
  refresh()
  return frame
}

/** Findings that are fine, folded: their names are enough. */
const rest = (fine, rows) => el("li", { class: "fine" }, el("details", { class: "fold" }, el("summary", {}, el("b", {}, `${fine.length} are fine`), el("span", { class: "said" }, fine.map(({ thing }) => thing).join(", "))), el("ul", { class: "doctor-list" }, rows)))

const titled = (thing) => (thing === "pipit" ? thing : thing.charAt(0).toUpperCase() + thing.slice(1))

function finding({ grade, thing, words, remedy, label, message }, refresh) {
  const [sign, says] = SIGNS[grade] ?? SIGNS.warn
  return el("li", { class: grade }, el("span", { class: "sign", role: "img", "aria-label": says }, sign),
    el("div", { class: "what" }, el("b", {}, titled(thing)), el("span", {}, sentence(words))), help(grade, thing, { remedy, label, message }, refresh))
}

/** A button where the box or the page can help; otherwise the remedy in words. */
function help(grade, thing, { remedy, label, message }, refresh) {
  if (grade === "ok") return undefined
  const kind = grade === "fail" ? "strong" : ""
  if (label && message) {
    return button(label, () => {
      send(message)
      setTimeout(refresh, 1000)
    }, kind)
  }
  if (/card/i.test(thing) && document.querySelector(".sound-card")) return button("Choose a card", () => document.querySelector(".sound-card .menu").click(), kind)
  return remedy ? button("What to do", () => openDialog(titled(thing), [el("p", {}, sentence(remedy))]), kind) : undefined
}

/** Sends a message that is written as its address and its arguments. */
function send(message) {
  const [address, ...rest] = message.split(" ")
  const text = rest.join(" ")
  const number = Number(text)
  if (!text) app.tell(address, 1)
  else app.socket.send(address, Number.isNaN(number) ? text : /^-?\d+$/.test(text) ? new Int(number) : number)
}

function testTone() {
  app.tell("/doctor/tone", 1)
  say("A soft tone of two seconds, whatever the sound and the levels are")
}
