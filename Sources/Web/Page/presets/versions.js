// Unsaved changes and older versions of a preset, with the differences line by line.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { reading, written } from "../model/numbers.js"
import { order } from "./acts.js"
import { isPlaying, library, placeOf } from "./library.js"
import { forgetText, frozenKnob, positions, textOf } from "./text.js"

/** Lines of differences that are shown at once. */
const MOST = 12

/** The versions of a preset; empty where there are none. */
export function versions(preset) {
  const container = el("div", { class: "versions-place" })
  fill(container, preset)
  return container
}

async function fill(container, preset) {
  const isEdited = isPlaying(preset) && app.values.get("/preset/edited", 0) > 0
  const [unsaved, lines] = await Promise.all([
    isEdited ? textOf(preset).then(changes).catch(() => []) : [],
    preset.isOwn ? app.questions.list("/presets/versions", placeOf(preset)).catch(() => []) : [],
  ])
  const older = lines.map((line) => line.split("\t")).filter(([age]) => Number(age) > 0)
  if (!unsaved.length && !older.length) return
  container.replaceChildren(el("h3", {}, "Versions"), el("ol", { class: "versions" },
    unsaved.length > 0 && el("li", {}, el("b", {}, "Now"), el("span", { class: "who" }, "not saved"), el("span"), el("ul", { class: "differs" }, shown(unsaved))),
    older.map(([age, time]) => version(preset, Number(age), Number(time)))))
}

function version(preset, age, time) {
  const when = time > 0 ? dated(time) : `Version ${age}`
  const differs = el("ul", { class: "differs" })
  // From the preset as it is to the version that would be brought back.
  app.questions.list("/presets/diff", placeOf(preset), 0, age).then((lines) => differs.replaceChildren(...shown(lines.map((line) => line.split("\t"))))).catch(() => {})
  return el("li", {}, el("b", {}, when), el("span", { class: "who" }, `${age} ${age === 1 ? "save" : "saves"} ago`), button("Bring back", async () => {
    await order("/presets/bring", placeOf(preset), age)
    forgetText(preset)
    library.refresh().catch(() => {})
  }, "quiet", { "aria-label": `Bring back the version of ${when}` }), differs)
}

/** The knobs of the part in focus that differ from a text: address, value in the text, value now. */
function changes(text) {
  const at = positions(text)
  const ofSound = app.tree.sections.flatMap((section) => [...section.all, section.switch].filter((knob) => knob && !/mixer|parts|master/.test(section.page)))
  return [...ofSound, ...app.tree.matrix.slots.flatMap(Object.values)].flatMap((knob) => {
    const before = frozenKnob(knob, at)
    return Math.abs(before.at - knob.at) < 1e-3 ? [] : [[knob.address, valueText(before), knob.sentence]]
  })
}

const valueText = (knob) => (knob.kind === "toggle" ? (knob.isOn ? "on" : "off") : knob.kind === "choice" ? String(knob.choice) : reading(written(knob.number, knob), knob.isBipolar).join(" ").trim())

const shown = (lines) => [...lines.slice(0, MOST).map(([address, before, after]) => el("li", {}, el("code", {}, address), before && el("del", {}, before), after && el("ins", {}, after))), ...(lines.length > MOST ? [el("li", { class: "hint" }, `and ${lines.length - MOST} more`)] : [])]

function dated(seconds) {
  const date = new Date(seconds * 1000), today = new Date()
  const days = Math.round((new Date(today).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 864e5)
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
  return days === 0 ? `Today, ${time}` : days === 1 ? `Yesterday, ${time}` : `${date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })}, ${time}`
}
