// Values on their way to the box: at most one a control and frame, and none while the network is behind.

const MOST_WAITING = 4096

export class Outbox {
  #waiting = new Map()
  #isAsked = false

  constructor(socket) { this.socket = socket }

  /** Sends the newest value of an address with the next frame. */
  set(address, value) {
    this.#waiting.set(address, value)
    this.#ask()
  }

  /** Forgets what was not sent, as when the connection is lost. */
  clear() { this.#waiting.clear() }

  /** Sends now what waits, as before something that gives an address another meaning. */
  flush() {
    for (const [address, value] of this.#waiting) this.socket.send(address, value)
    this.#waiting.clear()
  }

  #ask() {
    if (this.#isAsked) return
    this.#isAsked = true
    requestAnimationFrame(() => this.#flush())
  }

  #flush() {
    this.#isAsked = false
    for (const [address, value] of this.#waiting) {
      if (this.socket.waiting > MOST_WAITING) return this.#ask()
      this.#waiting.delete(address)
      this.socket.send(address, value)
    }
  }
}
