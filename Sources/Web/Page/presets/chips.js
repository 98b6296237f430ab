// Favourites, your own, and the categories, as buttons that narrow the list.

import { el } from "../element/dom.js"
import { roving } from "../element/roving.js"

/** `state` holds what is chosen; `changed` is called when that changes. */
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
