// The spectrum of the newest samples: a fast Fourier transform, kept for a frame so that several pictures share it.

import { stream } from "./stream.js"

/** Samples of a transform; a power of two. */
const LENGTH = 4096
const WINDOW = Float32Array.from({ length: LENGTH }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / LENGTH))
const COSINE = Float32Array.from({ length: LENGTH / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / LENGTH))
const SINE = Float32Array.from({ length: LENGTH / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / LENGTH))

const real = new Float32Array(LENGTH)
const imaginary = new Float32Array(LENGTH)
const decibels = new Float32Array(LENGTH / 2)
let done = -1

/** Levels in decibels of full scale, from 0 Hz to half the sample rate. */
export function spectrum() {
  if (stream.count === done) return decibels
  done = stream.count
  stream.latest(real)
  for (let i = 0; i < LENGTH; i++) real[i] *= WINDOW[i]
  imaginary.fill(0)
  transform()
  for (let i = 0; i < LENGTH / 2; i++) decibels[i] = 10 * Math.log10((real[i] ** 2 + imaginary[i] ** 2) * (16 / LENGTH ** 2) + 1e-12)
  return decibels
}

/** The loudest level between two frequencies. */
export function levelBetween(low, high, levels) {
  const perBin = stream.rate / LENGTH
  const from = low / perBin, to = high / perBin
  // Bins that are wider than the step are drawn as a line between them.
  if (to - from < 1.5) {
    const i = Math.floor(from), share = from - i
    return levels[i] + ((levels[i + 1] ?? levels[i]) - levels[i]) * share
  }
  let most = -120
  for (let i = Math.floor(from); i <= Math.min(to, levels.length - 1); i++) most = Math.max(most, levels[i])
  return most
}

function transform() {
  for (let i = 1, j = 0; i < LENGTH; i++) {
    let bit = LENGTH >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      [real[i], real[j]] = [real[j], real[i]];
      [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]]
    }
  }
  for (let size = 2; size <= LENGTH; size <<= 1) {
    const half = size >> 1, step = LENGTH / size
    for (let start = 0; start < LENGTH; start += size) {
      for (let k = 0; k < half; k++) {
        const [c, s, a, b] = [COSINE[k * step], -SINE[k * step], start + k, start + k + half]
        const re = real[b] * c - imaginary[b] * s, im = real[b] * s + imaginary[b] * c
        real[b] = real[a] - re
        imaginary[b] = imaginary[a] - im
        real[a] += re
        imaginary[a] += im
      }
    }
  }
}
