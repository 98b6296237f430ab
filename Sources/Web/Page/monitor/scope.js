// Pictures of the output: the waveform, triggered by a rising edge, and the spectrum, as bars and as a faint
// background.

import { hertzAt } from "../picture/path.js"
import { levelBetween, spectrum } from "./fourier.js"
import { live, stream } from "./stream.js"

/** Samples that are shown, and samples that are searched for the edge. */
const SHOWN = 1024, SOUGHT = 2048
/** The largest factor by which a soft sound is enlarged. */
const LOUDER = 6
const GREEN = "#6bd180"
/** Decibels of full scale at both ends of a spectrum, its bars, and pixels between points of a background. */
const LOWEST = -81, HIGHEST = -4, BARS = 44, STEP = 3

const samples = new Float32Array(SHOWN + SOUGHT)

export const scope = () => live((pen, w, h) => {
  stream.latest(samples)
  const start = edge()
  let most = 0
  for (let i = 0; i < SHOWN; i++) most = Math.max(most, Math.abs(samples[start + i]))
  const high = (h / 2 - 6) * Math.min(LOUDER, most > 0.001 ? 0.9 / most : 1)
  pen.strokeStyle = GREEN
  pen.lineWidth = 1.75
  pen.lineJoin = "round"
  pen.beginPath()
  for (let i = 0; i < SHOWN; i++) pen.lineTo((i / (SHOWN - 1)) * w, h / 2 - samples[start + i] * high)
  pen.stroke()
}, "Wave of what is heard")

/** The trigger: where the wave rises through 0 after its lowest point, so that overtones do not make it jump. */
function edge() {
  let lowest = 0
  for (let i = 1; i < SOUGHT; i++) if (samples[i] < samples[lowest]) lowest = i
  for (let i = lowest; i < SOUGHT; i++) if (samples[i] < 0 && samples[i + 1] >= 0) return i
  return 0
}

export const bars = () => live((pen, w, h) => {
  const levels = spectrum(), step = w / BARS
  for (let i = 0; i < BARS; i++) {
    const level = levelBetween(hertzAt(i * step, w), hertzAt((i + 1) * step, w), levels)
    const high = Math.max(1, Math.min(1, (level - LOWEST) / (HIGHEST - LOWEST)) * h)
    pen.fillStyle = "#6bd18055"
    pen.fillRect(i * step, h - high, step - 1, high)
    pen.fillStyle = GREEN
    pen.fillRect(i * step, h - high, step - 1, 2)
  }
}, "Spectrum of what is heard")

/** The spectrum behind curves over frequency. */
export const spectrumBehind = () => live((pen, w, h) => {
  const levels = spectrum()
  pen.fillStyle = "#ffffff17"
  pen.beginPath()
  pen.moveTo(0, h)
  for (let x = 0; x <= w; x += STEP) {
    const level = levelBetween(hertzAt(x, w), hertzAt(x + STEP, w), levels)
    pen.lineTo(x, h - Math.max(0, Math.min(1, (level - LOWEST) / (HIGHEST - LOWEST))) * h * 0.85)
  }
  pen.lineTo(w, h)
  pen.fill()
})
