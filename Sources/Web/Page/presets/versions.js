// Older versions of a preset, with what differs line by line.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { order } from "./acts.js"
import { library } from "./library.js"
import { forgetText } from "./text.js"

/** The versions of a preset; empty where the box keeps none. */
export function versions(preset) {
  const place = el("div", { class: "versions-place" })
  fill(place, preset).catch(() => {})
  return place
}

async function fill(place, preset) {
  const isEdited = preset.name === app.values.get("/preset/name") && app.values.get("/preset/edited", 0) > 0
  const lines = await app.questions.list("/presets/versions", preset.name)
  if (!lines.length && !isEdited) return
  const list = el("ol", { class: "versions" }, lines.map((line) => version(preset, line)))
  place.replaceChildren(el("h3", {}, "Versions"), list)
}

/** A line: number, time in seconds since 1970, and what was done. */
function version(preset, line) {
  const [number, time, words = ""] = line.split("\t")
  const when = Number(time) > 0 ? dated(Number(time)) : words || `Version ${number}`
  const differs = el("ul", { class: "differs" })
  app.questions.list("/presets/diff", preset.name, number).then((lines) => differs.replaceChildren(...lines.map(difference))).catch(() => {})
  return el("li", {}, el("b", {}, when), el("span", { class: "who" }, Number(time) > 0 ? words : ""), button("Bring back", async () => {
    await order("/presets/restore", preset.name, number)
    forgetText(preset)
    library.refresh().catch(() => {})
  }, "quiet", { "aria-label": `Bring back the version of ${when}` }), differs)
}

/** A line: address, value before, value after. */
function difference(line) {
  const [address, before, after] = line.split("\t")
  return el("li", {}, el("code", {}, address), before && el("del", {}, before), after && el("ins", {}, after))
}

function dated(seconds) {
  const date = new Date(seconds * 1000), today = new Date()
  const days = Math.round((new Date(today).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 864e5)
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
  return days === 0 ? `Today, ${time}` : days === 1 ? `Yesterday, ${time}` : `${date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })}, ${time}`
}
