// Changes of presets, each a request that the box answers with a sentence.

import { app } from "../app.js"
import { askText, openDialog } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { say, sayProblem } from "../element/toast.js"
import { order } from "./acts.js"
import { library, placeOf, playingAddresses } from "./library.js"
import { forgetText, head, textOf } from "./text.js"

/** Sends a request and reads the list again. */
async function change(preset, address, ...words) {
  const isDone = await order(address, placeOf(preset), ...words)
  forgetText(preset)
  await library.refresh().catch(() => {})
  return isDone
}

/** Marks or unmarks a favourite. */
export async function favor(preset) {
  const isFavorite = !preset.isFavorite
  library.change(preset, { isFavorite })
  try {
    await app.questions.ask("/presets/favorite", placeOf(preset), isFavorite ? 1 : 0)
  } catch (error) {
    library.change(preset, { isFavorite: !isFavorite })
    sayProblem(error)
  }
  library.refresh().catch(() => {})
}

export async function rename(preset) {
  const name = await askText("Rename", { value: preset.name, ok: "Rename", label: "Name", check: (text) => (text !== preset.name && library.named(text) ? "Another preset has this name." : undefined) })
  if (name && name !== preset.name) await change(preset, "/presets/rename", name)
}

export async function addTag(preset) {
  const tag = await askText("Add a tag", { ok: "Add", label: "Tag" })
  if (tag) await change(preset, "/presets/tag", `+${tag.replaceAll(",", " ")}`)
}

export const removeTag = (preset, tag) => change(preset, "/presets/tag", `-${tag}`)

/** Moves a preset to the trash, from where it can be restored. */
export async function discard(preset) {
  try {
    await app.questions.ask("/presets/delete", placeOf(preset))
    say(`${preset.name} is in the trash`, "Restore", () => change(preset, "/presets/restore"))
  } catch (error) {
    sayProblem(error)
  }
  library.refresh().catch(() => {})
}

/** Category, author and description of a user preset. */
export async function describe(preset) {
  const known = head(await textOf(preset).catch(() => ""))
  const entry = (name, value, isLong) => el(isLong ? "textarea" : "input", { type: isLong ? undefined : "text", "aria-label": name, value: isLong ? undefined : value, maxlength: 1000 }, isLong ? value : undefined)
  const fields = [["category", "Category", preset.category || known.category || ""], ["author", "Author", preset.author || known.author || ""], ["about", "Description", preset.about || known.about || "", true]]
    .map(([word, title, value, isLong]) => ({ word, title, value, input: entry(title, value, isLong) }))
  const save = async () => {
    dialog.close()
    for (const { word, value, input } of fields) {
      const now = input.value.trim()
      if (now !== value && !(await order("/presets/describe", placeOf(preset), word, now))) break
    }
    forgetText(preset)
    library.refresh().catch(() => {})
  }
  const dialog = openDialog(`Describe ${preset.name}`, [fields.map(({ title, input }) => el("label", { class: "field" }, el("span", {}, title), input)),
    el("div", { class: "actions end" }, button("Cancel", () => dialog.close(), "quiet"), button("Save", save, "strong"))])
}

/** Saves the present sound under a name. */
export async function saveAs() {
  const name = await askText("Save as", { value: app.values.get("/preset/save/new/name", ""), ok: "Save", label: "Name", words: `The sound of part ${app.focus}, as a preset of its own.` })
  if (!name) return
  app.tell("/preset/save/new", name)
  // The box's notice says when it is on the disk.
  const refresh = () => { library.refresh().catch(() => {}) }
  const ends = playingAddresses().map((address) => app.values.listen(address, refresh))
  setTimeout(() => { for (const end of ends) end(); refresh() }, 2500)
}

/** Asks for a slot of its bank, and moves a preset there. */
export function move(preset) {
  const names = new Map(library.all.filter(({ bank }) => bank === preset.bank).map((one) => [one.program, one.name]))
  const dialog = openDialog(`Move ${preset.name}`, [el("p", {}, "A preset at the new place gets the old one."), el("div", { class: "choices" }, Array.from({ length: 128 }, (_, program) => button(`${program + 1} · ${names.get(program) ?? "free"}`, async () => {
    dialog.close()
    await change(preset, "/presets/move", `${preset.bank}/${program}`)
  }, "choice", { "aria-pressed": String(program === preset.program) })))], "tall")
}

/** Asks for a part, and loads a preset into it. */
export function toPart(preset) {
  const name = (part) => app.values.get(`/part/${part}/preset/name`, "") || "no preset"
  const dialog = openDialog(`${preset.name} to part`, [el("div", { class: "choices" }, Array.from({ length: 8 }, (_, i) => button(`${i + 1} · ${name(i + 1)}`, () => {
    app.tell(`/part/${i + 1}/preset/load`, placeOf(preset))
    say(`${preset.name} is on part ${i + 1}`, "Undo", () => app.tell(`/part/${i + 1}/preset/undo`, 1))
    dialog.close()
  }, "choice")))])
}
