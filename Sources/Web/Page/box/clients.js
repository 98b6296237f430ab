// The clients that are connected to the box.

import { app } from "../app.js"
import { onRemoved } from "../element/lifetime.js"

/** Seconds between two queries while the clients are watched. */
const EVERY = 5
/** Seconds after its last message in which a client counts as busy. */
const BUSY = 10

const watchers = new Set()
let [timer, known, askedAt] = [undefined, [], -Infinity]

export const clients = {
  /** The name of this page among the clients. */
  ownName: named(navigator.userAgent),

  /** Calls `show(clients)` now and at each change, until `element` leaves the page. */
  watch(element, show) {
    watchers.add(show)
    show(known)
    timer ??= setInterval(ask, EVERY * 1000)
    ask()
    onRemoved(element, () => {
      watchers.delete(show)
      if (watchers.size) return
      clearInterval(timer)
      timer = undefined
    })
  },

  /** The name of the other client that sent the last message. */
  get otherName() {
    if (performance.now() - askedAt > EVERY * 1000) ask()
    const others = known.filter((one) => !one.isMine)
    return others.sort((a, b) => a.seconds - b.seconds)[0]?.name ?? "another hand"
  },
}

async function ask() {
  if (document.hidden || !app.socket.isOpen) return
  askedAt = performance.now()
  try {
    known = (await app.questions.list("/clients")).map(parsed)
    // This page is the client of its name that has just sent a message: the query.
    const mine = known.filter(({ name }) => name === clients.ownName).sort((a, b) => a.seconds - b.seconds)[0]
    if (mine) mine.isMine = true
    for (const show of watchers) show(known)
  } catch { /* It is asked again. */ }
}

/** A line: name, address, transport, parts, seconds since the last message, 1 if it holds notes. */
function parsed(line) {
  const [name = "", address = "", transport = "", parts = "", seconds = "", plays = ""] = line.split("\t")
  const isBusy = Number(seconds) < BUSY
  return {
    name: name || `${transport} client`, address, transport, seconds: Number(seconds),
    doing: plays === "1" ? "plays" : parts ? `part ${parts}` : isBusy ? "active" : "",
  }
}

/** The kind of device and of browser in words. */
function named(agent) {
  const device = /iPad/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1) ? "iPad" : /iPhone/.test(agent) ? "iPhone" : /Android/.test(agent) ? (/Mobile/.test(agent) ? "Android phone" : "Android tablet")
    : /Windows/.test(agent) ? "Windows" : /Macintosh/.test(agent) ? "Mac" : /Linux/.test(agent) ? "Linux" : ""
  const browser = /Firefox/.test(agent) ? "Firefox" : /Edg\//.test(agent) ? "Edge" : /Chrom/.test(agent) ? "Chrome" : /Safari/.test(agent) ? "Safari" : "Browser"
  return [browser, device && `on ${device}`].filter(Boolean).join(" ")
}

/** Sends the box the name of this page on every connection. */
const introduce = () => { if (app.socket.isOpen) app.tell("/client/name", clients.ownName) }
app.socket.addEventListener("change", introduce)
introduce()
app.remoteChanges.name = () => clients.otherName
