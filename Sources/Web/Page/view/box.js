// The box and its status: the doctor's findings and the sound card first, then the addresses, devices, the last hour,
// files, updates and clients.

import { app } from "../app.js"
import { clients } from "../box/clients.js"
import { devices } from "../box/devices.js"
import { doctor } from "../box/doctor.js"
import { guide } from "../box/guide.js"
import { hour } from "../box/hour.js"
import { layouts, reach } from "../box/reach.js"
import { soundCard } from "../box/soundcard.js"
import { update } from "../box/update.js"
import { confirmed, openDialog } from "../element/dialog.js"
import { button, card, el, row } from "../element/dom.js"
import { say, sayProblem } from "../element/toast.js"
import { help } from "../frame/shortcuts.js"
import { chooseFiles, download, upload } from "../link/files.js"

export const view = () => el("div", { class: "box" }, doctor(), soundCard(), reach(), devices(), hour(), layouts(), backup(), update(), clientCard(), about())

function clientCard() {
  const list = el("ul", { class: "rows" })
  const frame = card("clients", "Who is here", "amber", list)
  clients.watch(frame, (all) => {
    frame.hidden = !all.length
    list.replaceChildren(...all.map(({ name, address, transport, doing, isMine }) => el("li", {}, el("span", { class: "initial", "aria-hidden": "true" }, name[0]?.toUpperCase()), el("div", { class: "what" }, el("b", {}, isMine ? "This page" : name), el("span", {}, [isMine && name, transport, address].filter(Boolean).join(", "))), el("span", { class: "doing" }, doing))))
  })
  return frame
}

const about = () => card("about", "pipit", "silver", el("ul", { class: "rows" },
  row(`Version ${app.tree.version}`, `on ${app.tree.name}`), row("Your first hour", "From a box that is on to a sound of yours", button("Show", guide, "", { "aria-label": "Show the first hour" })),
  row("Keyboard", "Shortcuts of this page", button("Show", help, "", { "aria-label": "Show the shortcuts" }))))

function backup() {
  return card("backup", "Everything in one file", "pink",
    el("p", { class: "hint" }, "Presets with their versions, session, learned controls, devices, tunings, wavetables, songs, pads and configuration. Recordings stay here."),
    el("div", { class: "actions" }, button("Download a backup", () => download("/app/backup"), "strong"), button("Restore…", restore)))
}

async function restore() {
  const [file] = await chooseFiles(".gz,.tgz,.tar,.backup,application/gzip")
  if (!file) return
  const words = `${file.name} is checked as a whole before anything changes. Presets that it replaces become earlier versions or go to the trash.`
  if (!await confirmed("Restore a backup", words, "Restore")) return
  say("Restoring…")
  try {
    const report = (await upload("/app/backup", file)).split("\n").filter(Boolean)
    openDialog("Restored", [el("ol", { class: "report" }, report.map((line) => el("li", {}, line)))])
  } catch (error) {
    sayProblem(error)
  }
}
