// Numbers as people read and write them. The text of a value comes from the box; these functions serve where it has
// sent none.

const UNITS = { hz: "Hz", seconds: "s", db: "dB", cents: "ct", semitones: "st", octaves: "oct", bpm: "bpm", percent: "%", key: "", value: "" }

const WRITERS = {
  hz: (n) => (n >= 10_000 ? `${(n / 1000).toFixed(1)} kHz` : n >= 1000 ? `${(n / 1000).toFixed(2)} kHz` : `${n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0)} Hz`),
  seconds: (n) => (n < 0.1 ? `${(n * 1000).toFixed(n < 0.01 ? 1 : 0)} ms` : `${n.toFixed(2)} s`),
  octaves: (n) => `${n.toFixed(2)} oct`,
  percent: (n) => `${n.toFixed(0)} %`,
  key: (n) => keyName(n),
  value: (n) => n.toFixed(2),
}

/** A number in a unit, as the box writes it. */
export function written(number, { unit, step }) {
  if (step && unit !== "key") return `${Math.round(number)} ${UNITS[unit]}`.trim()
  return (WRITERS[unit] ?? ((n) => `${n.toFixed(1)} ${UNITS[unit]}`))(number)
}

/** The number and the unit of a text such as "720 Hz", with a true minus sign, and a plus where a sign matters. */
export function reading(text, isSigned = false) {
  const parts = /^([-+]?[\d.]+)\s*(.*)$/.exec(text)
  if (!parts) return [text.replace("-", /^[A-H]#?-\d$/.test(text) ? "−" : " "), ""]
  const sign = isSigned && Number(parts[1]) > 0 && !parts[1].startsWith("+") ? "+" : ""
  const number = /^-0(\.0*)?$/.test(parts[1]) ? parts[1].slice(1) : parts[1]
  return [sign + number.replace("-", "−"), parts[2]]
}

/** The name of a MIDI key, as C4 for 60. */
export function keyName(key) {
  const names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
  return names[((Math.round(key) % 12) + 12) % 12] + (Math.floor(Math.round(key) / 12) - 1)
}

/** The number of a key's name, or undefined. */
function keyNumber(text) {
  const found = /^([a-h])([#♯b♭]?)(-?\d)$/i.exec(text)
  if (!found) return undefined
  const steps = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11, h: 11 }
  const shift = { "#": 1, "♯": 1, b: -1, "♭": -1 }[found[2]] ?? 0
  return (Number(found[3]) + 1) * 12 + steps[found[1].toLowerCase()] + shift
}

/** What a person typed, in a knob's unit: "1.2k", "440 hz", "350ms", "−6", "12,5". Undefined if it is no number. */
export function typed(text, unit) {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".")
  if (unit === "key" && keyNumber(plain) !== undefined) return keyNumber(plain)
  const found = /^([-+]?\d*\.?\d+)\s*([a-zµ%]*)$/i.exec(plain)
  if (!found) return undefined
  const factor = { k: 1000, khz: 1000, ms: 0.001 }[found[2].toLowerCase()] ?? 1
  return Number(found[1]) * factor
}

/** The name of a choice. */
export const choiceName = (choice) => String(choice).replaceAll("-", " ")

/** Seconds as minutes, as 3:07. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

/** Bytes as people read them. */
export function size(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : bytes >= 1e3 ? `${Math.round(bytes / 1e3)} kB` : `${bytes} B`
}

const clamp = (number, low, high) => Math.min(high, Math.max(low, number))

const CURVES = {
  linear: { number: (at, low, high) => low + (high - low) * at, at: (number, low, high) => (number - low) / (high - low) },
  exponential: { number: (at, low, high) => low * (high / low) ** at, at: (number, low, high) => Math.log(number / low) / Math.log(high / low) },
  cubic: { number: (at, low, high) => high * at ** 3, at: (number, low, high) => Math.cbrt(number / high) },
}

/** The number at a position. */
export function numberAt(at, { curve, low, high, step }) {
  const number = CURVES[curve].number(clamp(at, 0, 1), low, high)
  return step ? clamp(Math.round(number / step) * step, low, high) : number
}

/** The position of a number. */
export function positionOf(number, { curve, low, high }) {
  return clamp(CURVES[curve].at(clamp(number, low, high), low, high), 0, 1)
}
