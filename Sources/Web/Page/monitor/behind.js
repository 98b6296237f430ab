// The spectrum as a faint ground behind curves over frequency.

import { hertzAt } from "../picture/path.js"
import { levelBetween, spectrum } from "./fourier.js"
import { live } from "./live.js"

/** Decibels of full scale at the lower edge, and at the top of the hills. */
const LOWEST = -84, HIGHEST = -6
const STEP = 3

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
