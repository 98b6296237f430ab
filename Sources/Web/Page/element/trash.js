// What was thrown away, to bring back.

import { confirmed, openDialog } from "./dialog.js"
import { button, el, nothing } from "./dom.js"
import { sayProblem } from "./toast.js"

/**
 * Shows a trash. `list()` asks for its things, each { name, words }; `restore(name)` is true if it was done;
 * `empty()` deletes all for ever.
 */
export async function openTrash({ list, restore, empty }) {
  let things
  try { things = await list() } catch (error) { return sayProblem(error) }
  const row = ({ name, words }) => {
    const line = el("li", {}, el("div", { class: "what" }, el("b", {}, name), words && el("span", {}, words)),
      button("Restore", async () => { if (await restore(name)) line.remove() }, "", { "aria-label": `Restore ${name}` }))
    return line
  }
  const dialog = openDialog("Trash", things.length ? [el("ul", { class: "rows" }, things.map(row)), empty && el("div", { class: "actions end" }, button("Empty the trash", async () => {
    dialog.close()
    if (await confirmed("Empty the trash", `${things.length} ${things.length === 1 ? "file is" : "files are"} deleted for ever.`, "Delete", "danger")) empty()
  }, "quiet danger"))] : [nothing("The trash is empty.")])
}
