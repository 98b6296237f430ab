// Keyboards and controllers, and their learned bindings.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, card, el, nothing } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { choiceName } from "../model/numbers.js"
import { order } from "../presets/acts.js"

/** Seconds between two queries. */
const EVERY = 5
/** Settings of a device, and their values. */
const SETTINGS = [["play", "Played", ["auto", "on", "off"]], ["mpe", "MPE", ["auto", "off", "lower"]], ["clock", "MIDI clock", ["on", "off"]], ["feedback", "Feedback", ["on", "off"]], ["pads", "Pads", ["on", "off"]]]

export function devices() {
  const list = el("ul", { class: "rows devices" })
  const frame = card("keyboards", "Keyboards and what was learned", "green", list, el("div", { class: "actions" }, button("Learn a control", () => app.tell("/learn", 1))))
  let before
  const refresh = async () => {
    if (document.hidden || !app.socket.isOpen) return
    try {
      const [lines, bound] = await Promise.all([app.questions.list("/device/list"), app.questions.list("/bindings")])
      // Rows are rebuilt only when something has changed, so that the focus stays.
      const now = [...lines, ...bound].join("\n")
      if (now === before) return
      before = now
      const all = lines.map(parsed), known = bound.map(binding)
      const rest = known.filter(({ device }) => !all.some(({ name }) => name === device))
      list.replaceChildren(...all.map((one) => row(one, known.filter(({ device }) => device === one.name), again)), ...(rest.length ? [el("li", {}, el("div", { class: "what" }, el("b", {}, "Any device"), bindings(rest, again)))] : []))
      if (!all.length && !rest.length) list.replaceChildren(el("li", {}, nothing("No keyboard was seen yet.", "Plug one into the box: it plays at once.")))
    } catch { /* It is asked again. */ }
  }
  const again = () => { before = undefined; refresh() }
  const timer = setInterval(refresh, EVERY * 1000)
  app.socket.addEventListener("change", again)
  onRemoved(frame, () => { clearInterval(timer); app.socket.removeEventListener("change", again) }, app.values.listen("/learn/state", again))
  refresh()
  return frame
}

/** A line: number, whether it is played, name, identity, parts, settings, file of its pads. */
function parsed(line) {
  const [number, played = "", name = "", identity = "", parts = "", settings = "", pads = ""] = line.split("\t")
  return { number: Number(number), played, name, identity, parts, settings, pads }
}

/** A line: number, device, control, address, mode, ends. */
function binding(line) {
  const [number, device = "", control = "", address = "", mode = "", ends = ""] = line.split("\t")
  return { number: Number(number), device, control, address, mode, ends }
}

function row(device, bound, again) {
  const says = [device.played, device.parts && (/^[\d, ]+$/.test(device.parts) ? `part ${device.parts}` : device.parts), device.settings, device.pads && `pads by ${device.pads}`].filter(Boolean).map(choiceName).join(" · ")
  return el("li", {}, el("div", { class: "what" }, el("b", {}, device.name), el("span", {}, says), bound.length > 0 && bindings(bound, again)), button("Change…", () => change(device, again), "quiet", { "aria-label": `Change ${device.name}` }))
}

function change(device, again) {
  const set = async (key, value) => {
    dialog.close()
    await order("/device/set", device.number, key, value)
    again()
  }
  const parts = el("input", { type: "text", value: "", placeholder: "1,3 or channel or -", "aria-label": "Parts that it plays" })
  const dialog = openDialog(device.name, [device.identity && el("p", {}, device.identity),
    SETTINGS.map(([key, title, values]) => el("div", { class: "setting" }, el("span", {}, title), el("div", { class: "actions" }, values.map((value) => button(value, () => set(key, value)))))),
    el("label", { class: "field" }, el("span", {}, "Parts: 1,3 for all channels; 2:1,3 for channel 2; channel for the part of each channel; - for none"), parts),
    el("div", { class: "actions end" }, button("Forget", async () => { dialog.close(); await order("/device/forget", device.number); again() }, "quiet danger"), button("Set parts", () => set("parts", parts.value.trim() || "channel"), "strong"))])
}

const MODES = ["jump", "pickup", "scale", "twos", "offset", "sign", "signreversed", "toggle", "cycle", "press"]

/** The learned bindings: chips of control and knob, to change or to remove. */
const bindings = (list, again) => el("ul", { class: "learned" }, list.map((one) => chip(one, again)))

function chip(one, again) {
  const knob = title(one.address)
  return el("li", {}, button([el("span", {}, one.control), " → ", el("b", {}, knob)], () => changeBinding(one, knob, again), "quiet"), button("✕", async () => {
    await order("/bindings/remove", one.number)
    again()
  }, "quiet icon", { "aria-label": `${one.control} forgets ${knob}` }))
}

const title = (address) => app.tree.find(address)?.fullTitle ?? address

function changeBinding(one, knob, again) {
  const set = async (key, value) => {
    dialog.close()
    await order("/bindings/set", one.number, key, value)
    again()
  }
  const [low = "0", high = "1"] = one.ends.split(/[ …]+/)
  const ends = [low, high].map((value, index) => el("input", { type: "text", inputmode: "decimal", value, "aria-label": index ? "High end" : "Low end" }))
  const dialog = openDialog(`${one.control} → ${knob}`, [
    el("div", { class: "setting" }, el("span", {}, "Mode"), el("div", { class: "actions" }, MODES.map((mode) => button(mode, () => set("mode", mode), "", { "aria-pressed": String(mode === one.mode) })))),
    el("div", { class: "setting" }, el("span", {}, "Range, 0 to 1; reversed if the first is higher"), el("div", { class: "ends" }, ends, button("Set", async () => { await order("/bindings/set", one.number, "low", ends[0].value); set("high", ends[1].value) })))])
}
