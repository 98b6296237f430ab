// The trash of the presets.

import { button, el, nothing } from "../element/dom.js"
import { openDialog } from "../element/dialog.js"
import { sayProblem } from "../element/toast.js"
import { order } from "./acts.js"
import { library } from "./library.js"

export async function openTrash() {
  let presets
  try { presets = await library.trash() } catch (error) { return sayProblem(error) }
  const row = (preset) => {
    const line = el("li", {}, el("div", { class: "what" }, el("b", {}, preset.name), preset.category && el("span", {}, preset.category)), button("Restore", async () => {
      if (!await order("/presets/restore", preset.name)) return
      line.remove()
      library.refresh().catch(() => {})
    }, "", { "aria-label": `Restore ${preset.name}` }))
    return line
  }
  openDialog("Trash", [presets.length ? el("ul", { class: "rows" }, presets.map(row)) : nothing("The trash is empty.")])
}
