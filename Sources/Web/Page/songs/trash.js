// The trash of songs or recordings.

import { button, el, nothing } from "../element/dom.js"
import { confirmed, openDialog } from "../element/dialog.js"
import { sayProblem } from "../element/toast.js"
import { size } from "../model/words.js"

export async function openTrash(shelf) {
  let files
  try { files = await shelf.trash() } catch (error) { return sayProblem(error) }
  const row = (file) => {
    const line = el("li", {}, el("div", { class: "what" }, el("b", {}, file.name), el("span", {}, size(file.bytes))), button("Restore", async () => { if (await shelf.restore(file.name)) line.remove() }, "", { "aria-label": `Restore ${file.name}` }))
    return line
  }
  const dialog = openDialog("Trash", files.length ? [el("ul", { class: "rows" }, files.map(row)), el("div", { class: "actions end" }, button("Empty the trash", async () => {
    dialog.close()
    if (await confirmed("Empty the trash", `${files.length} ${files.length === 1 ? "file is" : "files are"} deleted for ever.`, "Delete", "danger")) shelf.empty()
  }, "quiet danger"))] : [nothing("The trash is empty.")])
}
