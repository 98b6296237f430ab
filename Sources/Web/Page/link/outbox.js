// Values that wait to be sent to the box: at most one per address and frame, and none while the network lags.

const MOST_WAITING = 4096

export class Outbox {
  #waiting = new Map()
  #isScheduled = false

  constructor(socket) { this.socket = socket }

  /** Sends the newest value of an address with the next frame. */
  set(address, value) {
    this.#waiting.set(address, value)
    this.#schedule()
  }

  /** Forgets the unsent values, as when the connection is lost. */
  clear() { this.#waiting.clear() }

  /** Sends the waiting values now, as before a change of what the addresses mean. */
  flush() {
    for (const [address, value] of this.#waiting) this.socket.send(address, value)
    this.#waiting.clear()
  }

  #schedule() {
    if (this.#isScheduled) return
    this.#isScheduled = true
    requestAnimationFrame(() => this.#flush())
  }

  #flush() {
    this.#isScheduled = false
    for (const [address, value] of this.#waiting) {
      if (this.socket.waiting > MOST_WAITING) return this.#schedule()
      this.#waiting.delete(address)
      this.socket.send(address, value)
    }
  }
}
