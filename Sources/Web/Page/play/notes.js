// Notes that are held here, so that none outlives the finger, the page or the connection.

import { app } from "../app.js"

const held = new Map()

/** Begins a note of the part in focus. A note held twice is released once it is let go twice. */
export function press(key, velocity = 0.8) {
  const count = held.get(key) ?? 0
  held.set(key, count + 1)
  if (!count) app.socket.send(`/note/${key}`, velocity)
}

/** Ends a note that was begun by `press`. */
export function release(key) {
  const count = held.get(key) ?? 0
  if (count > 1) return held.set(key, count - 1)
  if (!held.delete(key)) return
  app.tell(`/note/${key}`, 0)
}

/** Releases all notes. The box does so too when the connection ends. */
export function releaseAll() {
  for (const key of held.keys()) app.tell(`/note/${key}`, 0)
  held.clear()
}

addEventListener("blur", releaseAll)
addEventListener("pagehide", releaseAll)
document.addEventListener("visibilitychange", () => { if (document.hidden) releaseAll() })
