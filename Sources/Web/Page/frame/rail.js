// The pages: at the side, or below on a phone.

import { app } from "../app.js"
import { el, icon } from "../element/dom.js"
import { findings } from "../box/findings.js"
import { VIEWS } from "./views.js"

/** Milliseconds after which the doctor is asked how many things there are to look at. */
const LATER = 4000

const links = new Map()

export function buildRail() {
  const bubble = el("span", { class: "bubble", hidden: true }, "!")
  for (const [name, { title, icon: d }] of Object.entries(VIEWS)) {
    links.set(name, el("a", { href: `#${name}` }, icon(d), el("span", {}, title), name === "box" && bubble))
  }
  const show = () => {
    const count = app.values.get("/doctor/count", 0)
    bubble.hidden = !count
    bubble.textContent = count
    links.get("box").setAttribute("aria-label", count ? `Box, ${count} ${count === 1 ? "thing" : "things"} to look at` : "Box")
  }
  app.values.listen("/doctor/count", show)
  setTimeout(() => findings().catch(() => {}), LATER)
  show()
  return el("nav", { class: "rail", id: "rail", "aria-label": "Pages" }, [...links.values()])
}

export function showRail(current) {
  for (const [name, link] of links) name === current ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")
}
