// The first hour: from a box that is on to a saved sound of your own, in six steps.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el, icon } from "../element/dom.js"
import { go } from "../frame/views.js"

/** The steps: a drawing, the task, an explanation, and a button that leads there. */
const steps = () => [
  ["M3 15h18v5H3z M6 15v3 M9 15v3 M12 15v3 M15 15v3 M18 15v3 M8 4h8v6H8z M12 10v5", "Plug in a sound card and a keyboard", "In any order, at any time. The first card on this page lists what is missing. Turn up carefully."],
  ["M5 3h14v18H5z M9 7v7 M12 7v7 M15 7v7 M8 9h2 M11 12h2 M14 8h2 M10 18h4", "Connect a tablet", `With any browser at this address. Or with TouchOSC: download a layout on this page, open it there, and choose UDP, host ${location.hostname}, send port ${app.values.get("/status/port", 8000) || 8000}, receive port 9000. Press play, then CONNECT.`],
  ["M4 5h16 M4 10h16 M4 15h10 M17 13v7 M17 20a2 2 0 1 1-.1 0", "Choose a sound, and play", "By bank, category or name. A sound that still rings is not cut off.", ["Presets", "presets"]],
  ["M6 3v18 M12 3v18 M18 3v18 M4 8h4 M10 15h4 M16 10h4", "Change it", "Every control says its value and unit. Undo takes back what you did, step by step.", ["Panel", "panel"]],
  ["M4 4h13l3 3v13H4z M8 4v5h7V4 M7 20v-7h10v7", "Save it", "Save as, with a name. When the page says “Saved”, the plug may be pulled. The box starts with the sound that it had.", ["Presets", "presets"]],
  ["M12 3v11 M8 10l4 4 4-4 M4 17v4h16v-4", "Keep it", "Download a backup on this page: one file with everything that you have made."],
]

/** Shows the steps. */
export function guide() {
  const dialog = openDialog("Your first hour", [el("ol", { class: "guide" }, steps().map(([drawing, what, how, way]) =>
    el("li", {}, icon(drawing), el("div", { class: "what" }, el("b", {}, what), el("span", {}, how)), way && button(way[0], () => { dialog.close(); go(way[1]) }))))])
}
