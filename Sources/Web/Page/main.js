// The start: the tree by HTTP, then the connection, then the view that the address names.

import { app } from "./app.js"
import { watchConnection } from "./frame/banner.js"
import { buildFrame } from "./frame/frame.js"
import { hearShortcuts } from "./frame/shortcuts.js"
import { openView } from "./frame/views.js"

/** Seconds after which the tree is asked for again. */
const PAUSE = 2

async function start() {
  app.grow(await tree())
  buildFrame()
  watchConnection()
  hearShortcuts()
  addEventListener("hashchange", openView)
  // Values may come in any order; the first view waits for none of them.
  app.socket.open()
  openView()
}

async function tree() {
  for (;;) {
    try {
      const answer = await fetch("/?PAGE", { headers: { Accept: "application/json" } })
      if (answer.ok) return await answer.json()
    } catch { /* The box is not there yet. */ }
    document.querySelector(".loading span").textContent = "The box does not answer yet."
    await new Promise((resolve) => setTimeout(resolve, PAUSE * 1000))
  }
}

start()
