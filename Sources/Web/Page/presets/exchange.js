// Import and export of presets as text: one, some, or all.

import { app } from "../app.js"
import { openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { say, sayProblem } from "../element/toast.js"
import { chooseFiles, download, upload } from "../link/files.js"
import { library } from "./library.js"
import { forgetText, textOf } from "./text.js"

const START = "pipit preset "
const AMSYNTH = "amSynth"

/** Imports preset files; asks for them if there are none. */
export async function importFiles(given) {
  const files = Array.isArray(given) ? given : await chooseFiles(".txt,.bank,.amSynthPreset,text/plain", true)
  if (!files.length) return
  const report = []
  for (const file of files) {
    try {
      report.push(...(await importText(await file.text(), file.name)).map((line) => [file.name, line]))
    } catch (error) {
      report.push([file.name, error.message])
    }
  }
  library.refresh().catch(() => {})
  if (report.length === 1) return say(report[0][1])
  openDialog("Imported", [el("ol", { class: "report" }, report.map(([name, line]) => el("li", {}, files.length > 1 && el("b", {}, `${name}: `), line)))])
}

/** Imports a text. Resolves with the lines of the box's report. */
async function importText(text, name) {
  if (!text.includes(START) && !text.startsWith(AMSYNTH)) throw new Error("That is no preset: it begins with neither “pipit preset” nor “amSynth”.")
  try {
    return (await upload("/app/presets.txt", text)).split("\n").filter(Boolean)
  } catch (error) {
    // Presets of pipit can also be sent as messages, one by one.
    if (text.startsWith(AMSYNTH) || ![404, 405, 413].includes(error.status)) throw error
    const lines = []
    for (const one of text.split(new RegExp(`^(?=${START})`, "m")).filter((part) => part.startsWith(START))) {
      lines.push(...await app.questions.ask("/presets/import", one, name.replace(/\.[^.]*$/, "")).catch((why) => [why.message]))
    }
    return lines
  }
}

/** Asks what to export: the chosen preset, those in the list, or all. */
export function exportMenu(chosen, shown) {
  const all = library.all.length, own = library.all.filter((one) => one.isOwn).length
  const act = (words, work) => button(words, () => { dialog.close(); work() }, "choice")
  const dialog = openDialog("Export", [el("p", {}, "Presets are text that people can read, edit and share."), el("div", { class: "choices wide" },
    chosen && act(chosen.name, () => exportOne(chosen)),
    shown.length > 1 && shown.length < all && act(`The ${shown.length} in the list`, () => exportSome(shown)),
    own > 0 && act(own === 1 ? "Your own preset" : `Your own ${own} presets`, () => download("/app/presets.txt", "pipit-presets.txt")),
    act(`All ${all} presets`, () => exportSome(library.all)))])
}

export async function exportOne(preset) {
  try { save(await present(preset), `${preset.name}.txt`) } catch (error) { sayProblem(error) }
}

async function exportSome(presets) {
  try { save((await Promise.all(presets.map(present))).join("\n"), "pipit-presets.txt") } catch (error) { sayProblem(error) }
}

/** The text of a preset as the box has it now. */
function present(preset) {
  forgetText(preset)
  return textOf(preset)
}

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }))
  download(address, name.replace(/[\\/:*?"<>|]/g, "-"))
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
