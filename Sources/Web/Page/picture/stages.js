// The curves of an envelope's stages, as the engine makes them: after a part x of the time,
// (1 - 2^(-h·x)) / (1 - 2^(-h)) of the way is covered, with h halvings.

/** Halvings of an attack, which aims above the top, and of falls, which end 60 dB down. */
const ATTACK = 2.11547722, FALL = 9.96578428, RELEASE = 9.82842519
/** The most halvings of a curve that begins slowly, and the fewest that differ from a straight line. */
const SLOWEST = 4, STRAIGHT = 0.05
/** Where a fall ends. */
const FALLEN = 0.001

/** The halvings for the curve of a knob, −1…1. */
const bent = (halvings, curve) => (curve < -0.5 ? Math.min(halvings, SLOWEST) : halvings) * (1 + 2 * curve)

const covered = (x, h) => (Math.abs(h) < STRAIGHT ? x : (1 - 2 ** (-h * x)) / (1 - 2 ** -h))

/** Level during an attack from 0. */
export const rise = (x, curve) => covered(x, bent(ATTACK, curve))

/** What is left of the distance during a decay. */
export const fall = (x, curve) => left(x, bent(FALL, curve), curve)

/** What is left of the level during a release. */
export const release = (x, curve) => left(x, bent(RELEASE, curve), curve)

/** From curve 0 on, a fall goes on beyond its end. */
const left = (x, h, curve) => (curve >= 0 ? 2 ** (-h * x) : 1 - (1 - FALLEN) * covered(x, h))
