// What stands around every view: the strip above, the pages at the side, the monitor, the keys below.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { buildSide } from "../monitor/side.js"
import { buildRail } from "./rail.js"
import { buildTop } from "./top.js"
import { retitle } from "./views.js"

export function buildFrame() {
  const main = el("main", { id: "main", tabindex: -1 })
  document.body.replaceChildren(
    el("a", { class: "skip", href: "#main", onclick: (click) => { click.preventDefault(); main.focus() } }, "To the controls"),
    buildTop(), buildRail(), el("div", { id: "banner", role: "status" }), main,
    el("aside", { id: "side", class: "side", "aria-label": "What is heard" }), el("div", { class: "dock", id: "dock" }),
    el("div", { id: "toasts" }), el("div", { id: "announcer", class: "unseen", "aria-live": "polite" }))
  // Not before the first view is painted.
  requestIdleCallback?.(buildSide) ?? setTimeout(buildSide, 100)
  app.values.listen("/preset/name", retitle)
  // A long touch is a gesture here, not a menu of the browser.
  addEventListener("contextmenu", (event) => { if (event.target.closest?.(".fader, .grip, .key, .pad, .picture")) event.preventDefault() })
}
