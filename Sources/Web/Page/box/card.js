// One card of the view of the box.

import { el } from "../element/dom.js"

export const card = (kind, title, hue, ...children) => el("section", { class: `section ${kind}`, "data-hue": hue, "aria-label": title }, el("header", {}, el("h2", {}, title)), children)

/** A row: what it is, what is said of it, what can be done. */
export const row = (name, words, ...acts) => el("li", {}, el("div", { class: "what" }, el("b", {}, name), words && el("span", {}, words)), acts)
