// The list of presets, one tab stop, whose rows are made as it is scrolled; and the buttons that filter it.

import { el, roving } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { isPlaying, slotNumber } from "./library.js"
import { drawRow, rowFrame } from "./portrait.js"

/** Rows that are made at a time. */
const PAGE = 120

/**
 * `choose(preset)` is called at a tap, `load(preset)` at a double tap, `star(preset)` at the star.
 * The result: the element, `show(presets, words)`, and `mark(preset)`.
 */
export function presetList({ choose, load, star }) {
  const list = el("ul", { class: "list", role: "listbox", "aria-label": "Presets", id: "preset-list" })
  let [shown, made, words, marked] = [[], 0, [], undefined]
  const rows = new Map()

  // Pictures are drawn for visible rows only. More rows are made when the last one comes near.
  const pictures = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      pictures.unobserve(target)
      drawRow(target.querySelector("svg"), target.preset)
    }
  }, { root: list, rootMargin: "200px" })
  const more = new IntersectionObserver(([entry]) => { if (entry.isIntersecting) make() }, { root: list, rootMargin: "600px" })
  const end = el("li", { class: "end", "aria-hidden": "true" })
  onRemoved(list, () => { pictures.disconnect(); more.disconnect() })

  function make() {
    for (const preset of shown.slice(made, made + PAGE)) {
      const one = row(preset)
      rows.set(preset, one)
      end.before(one)
      pictures.observe(one)
    }
    made = Math.min(shown.length, made + PAGE)
  }

  function row(preset) {
    const where = playing(preset)
    const one = el("li", {
      role: "option", id: `preset-${shown.indexOf(preset)}`, "aria-selected": String(preset === marked),
      "aria-label": [preset.name, preset.category, preset.isFavorite && "favourite", where && `playing, ${where}`, preset.problem && "cannot be read"].filter(Boolean).join(", "),
      onclick: () => choose(preset), ondblclick: () => load(preset),
    },
    el("span", { class: "program" }, preset.program >= 0 ? slotNumber(preset) : ""), rowFrame(),
    el("span", { class: "name" }, preset.problem && el("span", { class: "warn", title: preset.problem }, "◆ "), lit(preset.name, words)),
    el("span", { class: "tags" }, lit(preset.tags.join(" · "), words)),
    where ? el("span", { class: "badge" }, `▶ ${where}`) : el("span", { class: "category" }, preset.category || (preset.isOwn ? "user" : "")),
    el("span", { class: `star${preset.isFavorite ? " is-on" : ""}`, "aria-hidden": "true", onclick: (click) => { click.stopPropagation(); star(preset) } }, preset.isFavorite ? "★" : "☆"))
    one.preset = preset
    return one
  }

  return {
    element: list,
    show(presets, search) {
      [shown, words, made] = [presets, search, 0]
      rows.clear()
      list.replaceChildren(end)
      make()
      more.disconnect()
      more.observe(end)
    },
    /** Marks the chosen preset and brings it into sight; the id of its row, for the search field. */
    mark(preset, isMoved = true) {
      marked = preset
      const at = shown.indexOf(preset)
      while (at >= made && made < shown.length) make()
      for (const [other, one] of rows) one.setAttribute("aria-selected", String(other === preset))
      if (isMoved) rows.get(preset)?.scrollIntoView({ block: "nearest" })
      return rows.get(preset)?.id ?? ""
    },
  }
}

/** "part 1" for a preset that sounds in a part that is on. */
export function playing(preset) {
  const parts = []
  for (let part = 1; part <= 8; part++) if (isPlaying(preset, part)) parts.push(part)
  return parts.length ? `part ${parts.join(", ")}` : ""
}

/** Text with the searched words marked. */
function lit(text, words) {
  const lower = text.toLowerCase()
  const hits = words.filter(Boolean).map((word) => [lower.indexOf(word), word.length]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0])
  const parts = []
  let from = 0
  for (const [at, length] of hits) {
    if (at < from) continue
    parts.push(text.slice(from, at), el("mark", {}, text.slice(at, at + length)))
    from = at + length
  }
  return [...parts, text.slice(from)]
}

/** Favourites, your own, and the categories, as buttons that narrow the list. `state` holds what is chosen; `changed` is called when that changes. */
export function filterChips(state, changed) {
  const element = roving(el("div", { class: "chips", role: "group", "aria-label": "Show" }))
  const chip = (label, isOn, act, many) => el("button", { type: "button", class: "chip", "aria-pressed": String(isOn), tabindex: -1, onclick: () => { act(); changed() } }, label, many !== undefined && el("span", { class: "many" }, many))

  return {
    element,
    show(presets) {
      const focus = [...element.children].indexOf(document.activeElement)
      const categories = new Map()
      for (const { category } of presets) if (category) categories.set(category, (categories.get(category) ?? 0) + 1)
      const hasOwn = presets.some((one) => one.isOwn) || state.isOwn
      element.replaceChildren(
        chip(state.isFavorites ? "★ Favourites" : "☆ Favourites", state.isFavorites, () => { state.isFavorites = !state.isFavorites }),
        ...(hasOwn ? [chip("Your own", state.isOwn, () => { state.isOwn = !state.isOwn }, presets.filter((one) => one.isOwn).length)] : []),
        ...[...categories].map(([name, many]) => chip(name, state.category === name, () => { state.category = state.category === name ? "" : name }, many)))
      const stop = element.children[Math.max(0, focus)]
      if (stop) stop.tabIndex = 0
      if (focus >= 0) stop?.focus()
    },
  }
}
