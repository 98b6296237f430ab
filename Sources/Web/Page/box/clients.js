// Who is connected to the box.

import { app } from "../app.js"
import { untilGone } from "../element/frame.js"

/** Seconds between two questions while somebody looks. */
const EVERY = 5

const watchers = new Set()
let [timer, known] = [undefined, []]

export const clients = {
  /** Calls `show(clients)` now and at each news, until `element` leaves the page. */
  watch(element, show) {
    watchers.add(show)
    show(known)
    timer ??= setInterval(ask, EVERY * 1000)
    ask()
    untilGone(element, () => {
      watchers.delete(show)
      if (watchers.size) return
      clearInterval(timer)
      timer = undefined
    })
  },
}

async function ask() {
  if (document.hidden || !app.socket.isOpen) return
  try {
    known = (await app.questions.list("/clients/list")).map(parsed)
    for (const show of watchers) show(known)
  } catch {
    // A box that does not know the question is not asked again.
    clearInterval(timer)
  }
}

/** A line: what it is, its address, the last knob that it turned, seconds since then. */
function parsed(line) {
  const [kind = "", address = "", knob = "", seconds = ""] = line.split("\t")
  const turned = knob && app.tree.find(knob)
  const isNow = turned && Number(seconds) < 10
  return { name: kind || address, address, doing: isNow ? `turns ${turned.title.toLowerCase()}` : "", knob }
}
