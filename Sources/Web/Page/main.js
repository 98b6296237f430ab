// The start: the tree by HTTP, the frame around the views, the connection, the view that the address names.

import { app } from "./app.js"
import { endGestures } from "./control/gesture.js"
import { el } from "./element/dom.js"
import { watchConnection } from "./frame/banner.js"
import { handleShortcuts } from "./frame/shortcuts.js"
import { buildTop } from "./frame/top.js"
import { buildRail, openView, retitle } from "./frame/views.js"
import { buildSide } from "./monitor/side.js"

/** Seconds between two attempts to load the tree. */
const PAUSE = 2

async function start() {
  app.grow(await tree())
  buildFrame()
  watchConnection()
  handleShortcuts()
  watchFocus()
  addEventListener("hashchange", openView)
  // Values may arrive in any order; the first view waits for none of them.
  app.socket.open()
  openView()
}

/** When another part comes into focus, gestures end and the undo steps are forgotten. */
function watchFocus() {
  let before
  app.values.listen("/focus", (part) => {
    if (before !== undefined && part !== before) {
      endGestures()
      app.history.forget()
    }
    before = part
  })
}

async function tree() {
  for (;;) {
    try {
      const answer = await fetch("/?PAGE")
      if (answer.ok) return await answer.json()
    } catch { /* The box is not there yet. */ }
    document.querySelector(".loading span").textContent = "The box does not answer yet."
    await new Promise((resolve) => setTimeout(resolve, PAUSE * 1000))
  }
}

/** Builds the frame around the views. */
function buildFrame() {
  const main = el("main", { id: "main", tabindex: -1 })
  document.body.replaceChildren(
    el("a", { class: "skip", href: "#main", onclick: (click) => { click.preventDefault(); main.focus() } }, "To the controls"),
    buildTop(), buildRail(), el("div", { id: "banner", role: "status" }), main,
    el("aside", { id: "side", class: "side", "aria-label": "What is heard" }), el("div", { class: "dock", id: "dock" }),
    el("div", { id: "toasts" }), el("div", { id: "announcer", class: "unseen", "aria-live": "polite" }))
  // Only after the first view has been painted.
  window.requestIdleCallback?.(buildSide) ?? setTimeout(buildSide, 100)
  app.values.listen("/preset/name", retitle)
  // A long touch is a gesture here, not a menu of the browser.
  addEventListener("contextmenu", (event) => { if (event.target.closest?.(".fader, .grip, .key, .pad, .picture")) event.preventDefault() })
}

start()
