// One knob: its description in the tree, its position, and its listeners.

import { Int } from "../link/osc.js"
import { choiceName, numberAt, positionOf, reading, written } from "./numbers.js"

/** Milliseconds after a gesture in which the position here takes precedence over values from the box. */
const PRECEDENCE = 250

export class Knob {
  #listeners = new Set()
  #touchedAt = -Infinity
  /** The value from the box that waits while the position here takes precedence. */
  #received
  /** How many gestures hold it. */
  #gestures = 0
  /** The box's text of the value, while it is up to date. */
  #text

  /** `address` may name a part; `outbox` carries its values. */
  constructor(node, address, outbox) {
    const { about = "", cc, unit, low, high, curve = "linear", step, initial } = node.KNOB
    Object.assign(this, { node, address, outbox, about, cc, unit, low, high, curve, step })
    this.title = node.DESCRIPTION ?? ""
    this.role = address.slice(address.lastIndexOf("/") + 1)
    this.choices = node.RANGE?.[0]?.VALS
    this.kind = node.TYPE === "T" || node.TYPE === "F" ? "toggle" : this.choices ? "choice" : "fader"
    this.initialAt = this.kind === "fader" ? positionOf(initial, this) : this.#parsed(initial)
    /** The position: 0…1 for a fader, an index for a choice, 0 or 1 for a toggle. */
    this.at = node.VALUE?.length ? this.#parsed(node.VALUE[0]) : this.initialAt
  }

  #parsed(value) {
    if (this.kind === "choice") return typeof value === "string" ? Math.max(0, this.choices.indexOf(value)) : Number(value)
    return this.kind === "toggle" ? Number(value === true || value === "on" || value >= 0.5) : Number(value)
  }

  /** The number in the knob's unit, or the index of a choice. */
  get number() { return this.kind === "fader" ? numberAt(this.at, this) : this.at }
  /** The name of the choice. */
  get choice() { return this.choices?.[this.at] }
  get isOn() { return this.at >= 0.5 }
  get isBipolar() { return this.kind === "fader" && this.curve === "linear" && this.low < 0 && this.high === -this.low }
  /** The position of the value 0 on a bipolar fader, its middle; 0 for others. */
  get zero() { return this.isBipolar ? 0.5 : 0 }
  get isAtDefault() { return Math.abs(this.at - this.initialAt) < 1e-4 }
  /** Its name with that of its section, for places where the section is not visible. */
  get fullTitle() { return this.section ? `${this.section.title} ${this.title.toLowerCase()}` : this.title }

  /** The value as a number and its unit, or as a word. */
  get words() {
    if (this.kind === "toggle") return [this.isOn ? "on" : "off", ""]
    if (this.kind === "choice") return [choiceName(this.choice), ""]
    return reading(this.#text ?? written(this.number, this), this.isBipolar)
  }

  /** The value as an argument of a message. */
  get argument() { return this.kind === "fader" ? this.at : new Int(this.at) }

  /** The value in one string. */
  get sentence() { return this.words.join(" ").trim() }

  /** The range in one string. */
  get range() { return [this.low, this.high].map((end) => reading(written(end, this), this.isBipolar).join(" ").trim()).join(" to ") }

  listen(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  // MARK: - From the page

  /** Begins a gesture, during which the box's values do not move the knob. */
  hold() { this.#gestures++ }

  release() {
    this.#gestures = Math.max(0, this.#gestures - 1)
    this.#touchedAt = performance.now()
    setTimeout(() => { if (this.#received !== undefined && !this.#hasPrecedence) this.#move(this.#received) }, PRECEDENCE + 20)
  }

  get isHeld() { return this.#gestures > 0 }

  /** Sets its position, and tells the box and the listeners. */
  set(at) {
    if (this.kind === "fader") at = Math.min(1, Math.max(0, at))
    if (at === this.at || Number.isNaN(at)) return
    this.#touchedAt = performance.now()
    this.#move(at)
    this.outbox.set(this.address, this.argument)
  }

  // MARK: - From the box

  /** Applies a value from the box. True if it moved the knob. */
  take(value) {
    const at = this.#parsed(value)
    if (Number.isNaN(at)) return false
    if (this.#hasPrecedence) {
      this.#received = at
      return false
    }
    return this.#move(at)
  }

  #move(at) {
    this.#received = undefined
    if (Math.abs(at - this.at) < 1e-6) return false
    this.at = at
    this.#text = undefined
    this.notify()
    return true
  }

  /** Applies the box's text of the value. */
  takeText(text) {
    if (text === this.#text) return
    this.#text = text
    this.notify()
  }

  /** Calls the listeners, also after something else that they show has arrived. */
  notify() { for (const listener of this.#listeners) listener(this) }

  get #hasPrecedence() { return this.#gestures > 0 || performance.now() - this.#touchedAt < PRECEDENCE }
}
