// The bytes of OSC messages, which box and page exchange in binary frames.

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()

/** A whole number, sent with the tag i. Other numbers are sent with the tag f. */
export class Int {
  constructor(value) { this.value = value }
}

/** The bytes of a message. Arguments are numbers, `Int`s, strings and booleans. */
export function encode(address, ...args) {
  const tags = args.map((one) => (one instanceof Int ? "i" : typeof one === "string" ? "s" : typeof one === "boolean" ? (one ? "T" : "F") : "f"))
  const parts = [padded(address), padded(`,${tags.join("")}`)]
  for (const one of args) {
    if (typeof one === "string") parts.push(padded(one))
    else if (typeof one !== "boolean") parts.push(number(one))
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function padded(text) {
  const bytes = ENCODER.encode(text)
  const whole = new Uint8Array((bytes.length + 4) & ~3)
  whole.set(bytes)
  return whole
}

function number(one) {
  const view = new DataView(new ArrayBuffer(4))
  one instanceof Int ? view.setInt32(0, one.value) : view.setFloat32(0, one)
  return new Uint8Array(view.buffer)
}

/** Calls `onMessage(address, args)` for the message in `buffer`, or for each message of a bundle. Throws for bytes that are no packet. */
export function decode(buffer, onMessage, from = 0, to = buffer.byteLength) {
  const reader = new Reader(buffer, from, to)
  const address = reader.string()
  if (address !== "#bundle") return onMessage(address, reader.args())
  reader.at += 8
  while (reader.at < to) {
    const size = reader.view.getInt32(reader.at)
    if (size <= 0 || reader.at + 4 + size > to) throw new RangeError("a bundle is cut off")
    decode(buffer, onMessage, reader.at + 4, reader.at + 4 + size)
    reader.at += 4 + size
  }
}

class Reader {
  constructor(buffer, at, end) {
    this.view = new DataView(buffer)
    this.bytes = new Uint8Array(buffer)
    this.at = at
    this.end = end
  }

  string() {
    const zero = this.bytes.indexOf(0, this.at)
    if (zero < 0 || zero >= this.end) throw new RangeError("a string has no end")
    const text = DECODER.decode(this.bytes.subarray(this.at, zero))
    this.at += (zero - this.at + 4) & ~3
    return text
  }

  args() {
    return [...this.string().slice(1)].map((tag) => {
      switch (tag) {
        case "i": return this.take(4, (at) => this.view.getInt32(at))
        case "f": return this.take(4, (at) => this.view.getFloat32(at))
        case "d": return this.take(8, (at) => this.view.getFloat64(at))
        case "h": return this.take(8, (at) => Number(this.view.getBigInt64(at)))
        case "s": return this.string()
        case "b": return this.blob()
        case "T": return true
        case "F": return false
        default: throw new RangeError(`unknown type ${tag}`)
      }
    })
  }

  blob() {
    const size = this.take(4, (at) => this.view.getInt32(at))
    return this.take((size + 3) & ~3, (at) => this.bytes.subarray(at, at + size))
  }

  take(size, read) {
    if (this.at + size > this.end) throw new RangeError("a message is cut off")
    const value = read(this.at)
    this.at += size
    return value
  }
}
