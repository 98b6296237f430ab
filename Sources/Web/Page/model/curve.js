// From the position of a fader, 0…1, to the number in the knob's unit, and back.

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
