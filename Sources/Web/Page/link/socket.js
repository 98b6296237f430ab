// The connection to the box: it sends an HTTP request first, then opens a WebSocket, and reconnects by itself.

import { decode, encode } from "./osc.js"

/** Seconds of silence after which the page sends a query, and seconds that the answer may take. */
const QUIET = 20, PATIENCE = 5
/** The longest pause between two attempts, in seconds. */
const LONGEST_PAUSE = 10

export class Socket extends EventTarget {
  #socket
  #timer
  #watch
  #failures = 0
  #receivedCount = 0
  /** The time of the next attempt, in milliseconds of `Date.now`. */
  nextTry = 0
  /** Whether the connection is open. */
  isOpen = false
  /** The time of the last message, in milliseconds of `Date.now`. */
  lastReceived = Date.now()

  /** `onMessage(address, args)` gets each message. */
  constructor(onMessage) {
    super()
    this.onMessage = onMessage
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#wake() })
    addEventListener("pageshow", (event) => { if (event.persisted) this.#wake() })
    addEventListener("online", () => this.#wake())
    addEventListener("pagehide", () => this.#socket?.close())
    addEventListener("pointerdown", () => this.#probe(2), { capture: true, passive: true })
    this.#watch = setInterval(() => { if (!document.hidden) this.#probe(QUIET) }, 5000)
  }

  /** Bytes that wait to be sent. */
  get waiting() { return this.#socket?.bufferedAmount ?? 0 }

  /** Sends a message; without a connection it is dropped, and false is returned. */
  send(address, ...args) {
    if (!this.isOpen) return false
    this.#socket.send(encode(address, ...args))
    return true
  }

  /** Sends a command in a text frame. */
  command(COMMAND, DATA) {
    if (this.isOpen) this.#socket.send(JSON.stringify({ COMMAND, DATA }))
  }

  /** Opens the connection. After failures, browsers delay sockets but not HTTP requests: hence the request first. */
  async open() {
    clearTimeout(this.#timer)
    this.nextTry = 0
    this.#changed()
    try {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), PATIENCE * 1000)
      const answer = await fetch("/?HOST_INFO", { headers: { Accept: "application/json" }, cache: "no-store", signal: stop.signal })
      clearTimeout(timer)
      if (!answer.ok) throw new Error(`answer ${answer.status}`)
    } catch {
      return this.#lost()
    }
    this.#connect()
  }

  #connect() {
    this.#drop()
    const socket = this.#socket = new WebSocket(`ws://${location.host}/`)
    socket.binaryType = "arraybuffer"
    socket.onopen = () => {
      this.isOpen = true
      this.#failures = 0
      this.#noteReceived()
      this.command("LISTEN_ALL")
      this.#changed()
    }
    socket.onmessage = ({ data }) => {
      this.#noteReceived()
      if (typeof data === "string") return
      try { decode(data, this.onMessage) } catch (error) { console.warn(error) }
    }
    socket.onclose = () => { if (socket === this.#socket) this.#lost() }
  }

  #noteReceived() {
    this.lastReceived = Date.now()
    this.#receivedCount++
  }

  /** Sends a query that must be answered if no message has arrived for `quiet` seconds. */
  #probe(quiet) {
    if (!this.isOpen || Date.now() - this.lastReceived < quiet * 1000) return
    const count = this.#receivedCount
    this.send("/focus")
    setTimeout(() => { if (this.isOpen && this.#receivedCount === count) this.#lost() }, PATIENCE * 1000)
  }

  #wake() {
    if (this.isOpen) return this.#probe(0)
    this.open()
  }

  #drop() {
    const old = this.#socket
    this.#socket = undefined
    this.isOpen = false
    old?.close()
  }

  #lost() {
    this.#drop()
    const pause = Math.min(LONGEST_PAUSE, 0.5 * 2 ** this.#failures++)
    this.nextTry = Date.now() + pause * 1000
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.open(), pause * 1000)
    this.#changed()
  }

  #changed() { this.dispatchEvent(new Event("change")) }
}
