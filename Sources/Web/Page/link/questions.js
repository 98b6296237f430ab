// Queries to the box: a message without a value, or one with words, and the answer to it.

import { Int } from "./osc.js"

/** Milliseconds that an answer may take. */
const PATIENCE = 8000

export class Questions {
  #waiting = []

  constructor(socket) { this.socket = socket }

  /** The arguments of the answer to a message. Rejects with the box's sentence if it refuses. */
  ask(address, ...words) { return this.#put({ address, isList: false }, words) }

  /** The lines of a list, which is answered as its length, and each line as `address/<n>`. */
  list(address, ...words) { return this.#put({ address, isList: true, lines: [], have: 0 }, words) }

  /** Uses a message if it belongs to an answer. True if it does. */
  take(address, args) {
    if (address === "/error") return this.#refuse(String(args[0] ?? ""))
    for (const one of this.#waiting) {
      if (address === one.address) {
        if (!one.isList) return this.#settle(one, one.resolve, args)
        one.count = Number(args[0])
        return this.#isWhole(one)
      }
      if (one.isList && address.startsWith(one.address + "/")) {
        const index = Number(address.slice(one.address.length + 1))
        if (!Number.isInteger(index)) continue
        if (one.lines[index] === undefined) one.have++
        one.lines[index] = args[0]
        return this.#isWhole(one)
      }
    }
    return false
  }

  /** Ends all queries, as when the connection is lost. */
  clear() {
    for (const one of this.#waiting.splice(0)) one.reject(new Error("pipit does not answer."))
  }

  #put(question, words) {
    return new Promise((resolve, reject) => {
      Object.assign(question, { resolve, reject })
      question.timer = setTimeout(() => this.#settle(question, reject, new Error("pipit did not answer.")), PATIENCE)
      this.#waiting.push(question)
      const isSent = this.socket.send(question.address, ...words.map((word) => (Number.isInteger(word) ? new Int(word) : word)))
      if (!isSent) this.#settle(question, reject, new Error("pipit is not connected."))
    })
  }

  #isWhole(one) {
    if (one.count !== undefined && one.have >= one.count) this.#settle(one, one.resolve, one.lines)
    return true
  }

  /** A refusal has the form "ADDRESS reason". */
  #refuse(sentence) {
    const one = this.#waiting.find(({ address }) => sentence === address || sentence.startsWith(address + " ") || sentence.startsWith(address + ":"))
    if (!one) return false
    this.#settle(one, one.reject, new Error(sentence.slice(one.address.length).replace(/^[: ]+/, "")))
    return true
  }

  #settle(one, end, result) {
    clearTimeout(one.timer)
    this.#waiting = this.#waiting.filter((other) => other !== one)
    end(result)
    return true
  }
}
