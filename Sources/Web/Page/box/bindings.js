// What was learned: chips of control and knob, to change or to remove.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { order } from "../presets/acts.js"

const MODES = ["jump", "pickup", "scale", "twos", "offset", "sign", "signreversed", "toggle", "cycle", "press"]

export const bindings = (list, again) => el("ul", { class: "learned" }, list.map((one) => chip(one, again)))

function chip(one, again) {
  const knob = title(one.address)
  return el("li", {}, button([el("span", {}, one.control), " → ", el("b", {}, knob)], () => change(one, knob, again), "quiet"), button("✕", async () => {
    await order("/bindings/remove", one.number)
    again()
  }, "quiet icon", { "aria-label": `${one.control} forgets ${knob}` }))
}

const title = (address) => app.tree.find(address)?.fullTitle ?? address

function change(one, knob, again) {
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
