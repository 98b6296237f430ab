// Magnitudes of the engine's filters, as the analogue models that they follow.

const decibels = (power) => 10 * Math.log10(power + 1e-9)

/** Damping of the filter's first section, of the second without resonance (24 and 12 dB), at the greatest, and the rest of the knob. */
const FIRST = 1.847759, FLAT24 = 0.765367, FLAT12 = 1.414214, LEAST = 0.03, ONSET = 0.9, BEYOND = 0.08

/** The damping of the second section for a resonance of 0…1; kept above 0, where the filter oscillates by itself. */
function damping(resonance, flat) {
  const rest = 1 - resonance, last = Math.max(0, (resonance - ONSET) / (1 - ONSET))
  return Math.max(0.02, LEAST + (flat - LEAST) * rest * rest - BEYOND * last * last)
}

/**
 * Decibels of the filter at `hertz`; `mode` 0…4 goes from low-pass over band, high and notch to peak, or through the vowels a, e, i,
 * o and u.
 */
export function filterResponse(hertz, { cutoff, resonance, mode, isShort, character, highpass }) {
  const shares = [0, 1, 2, 3, 4].map((one) => Math.max(0, 1 - Math.abs(mode - one)))
  const x = hertz / cutoff
  let power
  if (character === "formant") power = formants(hertz, cutoff, resonance, shares)
  else if (character === "comb") power = comb(hertz, cutoff, resonance, mode, isShort)
  else power = (character === "ladder" ? ladder : sections)(x, resonance, isShort, shares)
  if (highpass) power /= 1 + (highpass / hertz) ** 4
  return decibels(power)
}

/** The power of the clean filter at x times its frequency. */
function sections(x, resonance, isShort, shares) {
  const flat = isShort ? FLAT12 : FLAT24, second = damping(resonance, flat)
  const power = section(x, second, Math.sqrt(flat * Math.max(second, 0.1)), shares)
  return isShort ? power : power * section(x, FIRST, FIRST, shares)
}

/** The power of the ladder: a sum of its stages, p = 1 / (1 + ix) each, in a loop with half of its loss made up. */
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

/** The peaks of the vowels a, e, i, o, u: hertz, bandwidth in hertz, decibels with the vowel's gain. */
const VOWELS = [
  [[650, 80, 16], [1080, 90, 10], [2650, 120, 9], [2955, 132, 8.1]],
  [[400, 70, 14.4], [1700, 80, 0.4], [2600, 100, 2.4], [3322, 120, 1.4]],
  [[290, 40, 15.6], [1870, 90, 0.6], [2800, 100, -2.4], [3317, 120, -4]],
  [[400, 40, 17.8], [800, 80, 7.8], [2600, 100, 5.8], [2832, 120, 6]],
  [[350, 40, 14.2], [600, 60, -5.8], [2700, 100, -2.8], [2976, 120, 0.4]],
]

/** The power of the formants: the cutoff shifts them by up to an octave, resonance narrows them; their signs alternate. */
function formants(hertz, cutoff, resonance, vowels) {
  const shift = 2 ** (Math.max(-1, Math.min(1, (2 * Math.log(cutoff / Math.sqrt(20 * 20000))) / Math.log(1000))))
  const wider = 2 ** (1 - 2 * resonance)
  let real = 0, imaginary = 0
  for (let peak = 0; peak < 4; peak++) {
    const mean = (of) => vowels.reduce((sum, share, vowel) => sum + share * of(VOWELS[vowel][peak]), 0)
    const x = hertz / (shift * Math.exp(mean(([center]) => Math.log(center))))
    const across = x * wider * Math.exp(mean(([center, width]) => Math.log(width / center))), rest = 1 - x * x
    const size = (((peak % 2 ? -1 : 1) * 10 ** (mean(([, , level]) => level) / 20) * wider ** -0.65) * across) / (rest * rest + across * across)
    real += size * across
    imaginary += size * rest
  }
  return real * real + imaginary * imaginary
}

/** The power of a delay that is fed back through a one-pole: resonance sets its time, `mode` takes its treble. */
function comb(hertz, cutoff, resonance, mode, isShort) {
  const loop = (isShort ? 0.5 : 1) / cutoff, kept = 10 ** ((-3 * loop) / (0.02 * 2 ** (9 * resonance)))
  const dull = 0.0002 * (mode / 4) ** 2, angle = 2 * Math.PI * hertz, own = 2 * Math.PI * cutoff
  // The one-pole's own delay at the cutoff is part of the loop.
  const turn = angle * (loop - Math.atan(own * dull) / own) + Math.atan(angle * dull)
  const size = ((isShort ? -1 : 1) * kept) / Math.hypot(1, angle * dull)
  return (1 - kept) ** 1.5 / ((1 - size * Math.cos(turn)) ** 2 + (size * Math.sin(turn)) ** 2)
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
