// Everything in one file, and back.

import { button, el } from "../element/dom.js"
import { confirmed, openDialog } from "../element/dialog.js"
import { say, sayProblem } from "../element/toast.js"
import { chooseFiles, download, upload } from "../link/files.js"
import { card } from "./card.js"

export function backup() {
  return card("backup", "Everything in one file", "pink",
    el("p", { class: "hint" }, "Presets with their versions, session, learned controls, devices, tunings, songs and configuration. Recordings stay here."),
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
