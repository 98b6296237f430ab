// Magnitudes of the engine's filters, as the analogue models that they follow.

const decibels = (power) => 10 * Math.log10(power + 1e-9)

/** Damping of the filter's first section, of the second without resonance (24 and 12 dB), at the greatest, and the rest of the knob. */
const FIRST = 1.847759, FLAT24 = 0.765367, FLAT12 = 1.414214, LEAST = 0.03, ONSET = 0.9, BEYOND = 0.08

/** The damping of the second section for a resonance of 0…1; kept above 0, where the filter sings by itself. */
function damping(resonance, flat) {
  const rest = 1 - resonance, last = Math.max(0, (resonance - ONSET) / (1 - ONSET))
  return Math.max(0.02, LEAST + (flat - LEAST) * rest * rest - BEYOND * last * last)
}

/** Decibels of the filter at `hertz`; `mode` 0…4 goes from low-pass over band, high and notch to peak. */
export function filterResponse(hertz, { cutoff, resonance, mode, isShort, isLadder, highpass }) {
  const shares = [0, 1, 2, 3, 4].map((one) => Math.max(0, 1 - Math.abs(mode - one)))
  const x = hertz / cutoff
  let power = isLadder ? ladder(x, resonance, isShort, shares) : sections(x, resonance, isShort, shares)
  if (highpass) power /= 1 + (highpass / hertz) ** 4
  return decibels(power)
}

/** The power of the clean filter at x times its frequency. */
function sections(x, resonance, isShort, shares) {
  const flat = isShort ? FLAT12 : FLAT24, second = damping(resonance, flat)
  const power = section(x, second, Math.sqrt(flat * Math.max(second, 0.1)), shares)
  return isShort ? power : power * section(x, FIRST, FIRST, shares)
}

/** The same of the ladder: a sum of its stages, p = 1 / (1 + ix) each, in a loop with half of its loss made up. */
function ladder(x, resonance, isShort, [low, band, high, notch, peak]) {
  const rest = 1 - resonance, last = Math.max(0, (resonance - ONSET) / (1 - ONSET))
  const half = Math.max(0.005, (0.02 + 1.98 * rest * rest - 0.0442 * last * last) / 2)
  const across = Math.sqrt(1 - half * half), feedback = 4 * (across / (across + half)) ** 4
  const square = 1 + x * x, one = [1 / square, -x / square]
  const two = [one[0] ** 2 - one[1] ** 2, 2 * one[0] * one[1]]
  const four = [two[0] ** 2 - two[1] ** 2, 2 * two[0] * two[1]]
  const a = high + notch - peak, b = 2 * (band + peak - high - notch), c = low + high + 2 * (notch - band)
  const power = (a + b * one[0] + c * two[0]) ** 2 + (b * one[1] + c * two[1]) ** 2
  return ((isShort ? power : power * power) * (1 + feedback)) / ((1 + feedback * four[0]) ** 2 + (feedback * four[1]) ** 2)
}

/** The power of one state-variable section at x times its frequency. */
function section(x, damping, bandLevel, [low, band, high, notch, peak]) {
  const square = x * x
  const real = low - high * square + notch * (1 - square) + peak * (1 + square), imaginary = band * bandLevel * x
  return (real * real + imaginary * imaginary) / ((1 - square) ** 2 + (damping * x) ** 2)
}

/** Decibels of a band of the equalizer at `hertz`: a bell, or a shelf below or above its frequency. */
export function bandResponse(hertz, { kind, frequency, gain, q }) {
  const s = hertz / frequency
  const size = 10 ** (Math.abs(gain) / 40)
  if (kind === "bell") return (gain < 0 ? -1 : 1) * quotient(s, [1, size / q, 1], [1, 1 / (size * q), 1])
  if (kind === "low") {
    const b = Math.sqrt(2 * size)
    return (gain < 0 ? -1 : 1) * quotient(s, [size * size, size * b, size], [1, b, size])
  }
  const a = 1 / size, b = Math.sqrt(2 * a)
  return (gain > 0 ? -1 : 1) * quotient(s, [a, a * b, a * a], [a, b, 1])
}

/** Decibels of (a0 + a1 s + a2 s²) / (b0 + b1 s + b2 s²) at i·s. */
function quotient(s, above, below) {
  const power = ([c0, c1, c2]) => (c0 - c2 * s * s) ** 2 + (c1 * s) ** 2
  return decibels(power(above) / power(below))
}
