// All values that the box has sent, by address, and their listeners.

export class Values {
  #values = new Map()
  #listeners = new Map()
  #prefixes = new Map()

  /** The last value of an address, or `other`. */
  get(address, other) { return this.#values.has(address) ? this.#values.get(address) : other }

  /** Keeps a value and tells its listeners. */
  set(address, value) {
    this.#values.set(address, value)
    for (const listener of this.#listeners.get(address) ?? []) listener(value, address)
    for (const [prefix, all] of this.#prefixes) {
      if (address.startsWith(prefix)) for (const listener of all) listener(value, address)
    }
  }

  /** Calls `listener(value, address)` at each message of one address. Returns a function that ends this. */
  listen(address, listener) { return add(this.#listeners, address, listener) }

  /** Calls `listener(value, address)` for all addresses that begin with `prefix`. Returns a function that ends this. */
  listenAll(prefix, listener) { return add(this.#prefixes, prefix, listener) }
}

function add(map, key, listener) {
  const all = map.get(key) ?? new Set()
  map.set(key, all.add(listener))
  return () => {
    all.delete(listener)
    if (!all.size) map.delete(key)
  }
}
