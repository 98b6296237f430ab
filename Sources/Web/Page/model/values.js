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
    for (const hear of this.#listeners.get(address) ?? []) hear(value, address)
    for (const [prefix, all] of this.#prefixes) {
      if (address.startsWith(prefix)) for (const hear of all) hear(value, address)
    }
  }

  /** Calls `hear(value, address)` at each message of one address. Returns a function that ends this. */
  listen(address, hear) { return add(this.#listeners, address, hear) }

  /** Calls `hear(value, address)` for all addresses that begin with `prefix`. Returns a function that ends this. */
  listenAll(prefix, hear) { return add(this.#prefixes, prefix, hear) }
}

function add(map, key, hear) {
  const all = map.get(key) ?? new Set()
  map.set(key, all.add(hear))
  return () => {
    all.delete(hear)
    if (!all.size) map.delete(key)
  }
}
