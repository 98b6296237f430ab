// Makes elements. Words become text nodes, so the name of a preset can never become markup.

const SVG = "http://www.w3.org/2000/svg"

/** An element. Attributes that begin with "on" are listeners, those with "--" properties of its style. */
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children)

/** An element of a picture. */
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children)

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (name.startsWith("--")) element.style.setProperty(name, value)
    else element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false && child !== ""))
  return element
}

/** A button with words. `kind` is its classes: quiet, strong, danger. */
export const button = (words, act, kind = "", more = {}) => el("button", { type: "button", class: kind || undefined, onclick: act, ...more }, words)

/** A line drawing of 24 by 24. */
export const icon = (d) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d }))

/** The message in place of an empty list. */
export const nothing = (what, how, ...more) => el("div", { class: "empty" }, el("b", {}, what), how && el("span", {}, how), more)

/** A section with a heading; `kind` is its class. */
export const card = (kind, title, hue, ...children) => el("section", { class: `section ${kind}`, "data-hue": hue, "aria-label": title }, el("header", {}, el("h2", {}, title)), children)

/** A row of a list: its name, words about it, and its buttons. */
export const row = (name, words, ...acts) => el("li", {}, el("div", { class: "what" }, el("b", {}, name), words && el("span", {}, words)), acts)

/** Makes a group one tab stop, with arrow keys inside. `chosen` finds the button that Tab reaches. */
export function roving(group, chosen = () => group.querySelector("[aria-pressed=true], [aria-selected=true]")) {
  const stops = () => [...group.querySelectorAll("button, [role=option]")].filter((one) => !one.disabled && !one.hidden)
  const mark = (one) => stops().forEach((other) => { other.tabIndex = other === one ? 0 : -1 })
  mark(chosen() ?? stops()[0])
  group.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const list = stops()
    const at = list.indexOf(document.activeElement)
    const to = event.key === "Home" ? list[0] : event.key === "End" ? list.at(-1) : way && list[(at + way + list.length) % list.length]
    if (at < 0 || !to) return
    event.preventDefault()
    mark(to)
    to.focus()
  })
  group.addEventListener("focusin", (event) => { if (stops().includes(event.target)) mark(event.target) })
  return group
}
