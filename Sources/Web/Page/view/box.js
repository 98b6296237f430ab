// First steps and status: what keeps it from sounding comes first, then how to reach it, who is there, and how it was.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { help } from "../frame/shortcuts.js"
import { backup } from "../box/backup.js"
import { card, row } from "../box/card.js"
import { clients } from "../box/clients.js"
import { devices } from "../box/devices.js"
import { doctor } from "../box/doctor.js"
import { hour } from "../box/hour.js"
import { layouts, reach } from "../box/reach.js"
import { soundCard } from "../box/soundcard.js"

export const view = () => el("div", { class: "box" }, doctor(), soundCard(), reach(), devices(), hour(), layouts(), backup(), here(), about())

function here() {
  const list = el("ul", { class: "rows" })
  const frame = card("clients", "Who is here", "amber", list)
  clients.watch(frame, (all) => {
    frame.hidden = !all.length
    list.replaceChildren(...all.map(({ name, address, transport, doing, isMine }) => el("li", {}, el("span", { class: "initial", "aria-hidden": "true" }, name[0]?.toUpperCase()), el("div", { class: "what" }, el("b", {}, isMine ? "This page" : name), el("span", {}, [isMine && name, transport, address].filter(Boolean).join(", "))), el("span", { class: "doing" }, doing))))
  })
  return frame
}

const about = () => card("about", "pipit", "silver", el("ul", { class: "rows" },
  row(`Version ${app.tree.version}`, `on ${app.tree.name}`), row("Keyboard", "Shortcuts of this page", button("Show", help, "", { "aria-label": "Show the shortcuts" }))))
