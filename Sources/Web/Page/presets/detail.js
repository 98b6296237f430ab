// Everything about one preset.

import { app } from "../app.js"
import { moreButton } from "../element/dialog.js"
import { button, el } from "../element/dom.js"
import { hear } from "./acts.js"
import { addTag, describe, discard, favor, move, removeTag, rename, saveAs, toPart } from "./edit.js"
import { exportOne } from "./exchange.js"
import { isPlaying, slotWords } from "./library.js"
import { playing } from "./list.js"
import { portrait } from "./portrait.js"
import { head, textOf } from "./text.js"
import { versions } from "./versions.js"

/** The elements of the detail. `load(preset)` and `search(words)` are the view's. */
export function detail(preset, { load, search }) {
  const place = el("p", { class: "place" })
  const about = el("p", { class: "about" })
  const tags = el("ul", { class: "tag-list", "aria-label": "Tags" })
  const picture = el("div", { class: "portrait-place" })
  const show = ({ category = preset.category, author = preset.author, about: words = preset.about, tags: list = preset.tags }) => {
    place.textContent = [slotWords(preset), category, author && `by ${author}`].filter(Boolean).join(" · ")
    about.textContent = words
    tags.replaceChildren(...list.map((tag) => el("li", {}, button(tag, () => search(tag), "chip", { title: `Search ${tag}` }))),
      el("li", {}, button("+ tag", () => addTag(preset), "chip add")),
      ...(list.length ? [el("li", {}, moreButton("Tags", () => list.map((tag) => [`Remove ${tag}`, () => removeTag(preset, tag)])))] : []))
  }
  show({})
  textOf(preset).then((text) => {
    picture.replaceChildren(portrait(text))
    const words = head(text)
    // If the box's list has no such fields, they are in the text.
    show({
      category: preset.category || words.category, author: preset.author || words.author, about: preset.about || words.about,
      tags: preset.tags.length ? preset.tags : (words.tags ?? "").split(",").map((tag) => tag.trim()).filter(Boolean),
    })
  }).catch((error) => picture.replaceChildren(el("p", { class: "problem" }, error.message)))

  const where = playing(preset)
  const isMine = isPlaying(preset)
  const isEdited = isMine && app.values.get("/preset/edited", 0) > 0
  return [
    button("‹ All presets", () => document.body.classList.remove("shows-detail"), "quiet back"),
    place, el("h2", {}, preset.name),
    preset.problem && el("p", { class: "problem" }, preset.problem),
    picture, about, tags,
    el("div", { class: "actions" },
      where && isMine ? el("span", { class: "badge big" }, `▶ Plays on ${where}`) : button("Load", () => load(preset), "strong"),
      isEdited && button("Back to saved", () => load(preset)),
      button("Hear", () => hear(preset), "", { title: "A short phrase, if nothing sounds" }),
      button(preset.isFavorite ? "★ Favourite" : "☆ Favourite", () => favor(preset), "", { "aria-pressed": String(preset.isFavorite) })),
    el("div", { class: "actions minor" },
      isMine && button("Save as…", saveAs, "quiet"),
      preset.isOwn && button("Rename…", () => rename(preset), "quiet"),
      preset.isOwn && button("Describe…", () => describe(preset), "quiet"),
      button("To part…", () => toPart(preset), "quiet"),
      preset.isOwn && preset.program >= 0 && button("Move…", () => move(preset), "quiet"),
      button("Export", () => exportOne(preset), "quiet"),
      preset.isOwn && button("To the trash", () => discard(preset), "quiet danger")),
    versions(preset),
  ].filter(Boolean)
}
