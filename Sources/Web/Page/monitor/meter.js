// Level meters in decibels, drawn while they are visible; the box measures the levels only for clients that ask.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { stream } from "./stream.js"

/** Decibels at both ends. */
const LOWEST = -60, HIGHEST = 0
/** Milliseconds for which the highest level stays marked. */
const HOLD = 1500
/** Decibels above which a level counts as too loud. */
const OVER = -0.1

/** `isFlat` is horizontal and has its title; `isReduction` shows the gain reduction of a limiter, from 0 dB up. */
export function meter(address, title, { isFlat = false, isReduction = false } = {}) {
  const element = el("div", { class: `meter${isFlat ? " flat" : ""}${isReduction ? " limiter" : ""}`, role: "meter", "aria-label": title, "aria-valuemin": isReduction ? 0 : LOWEST, "aria-valuemax": isReduction ? 20 : HIGHEST },
    el("span", {}), isFlat && el("small", {}, title))
  const at = (level) => Math.min(1, Math.max(0, isReduction ? level / 20 : (level - LOWEST) / (HIGHEST - LOWEST)))
  let peak = 0, peakTime = 0
  const show = onceAFrame(() => {
    const value = Number(app.values.get(address, isReduction ? 0 : LOWEST))
    const now = at(value)
    if (now >= peak || performance.now() - peakTime > HOLD) [peak, peakTime] = [now, performance.now()]
    element.style.setProperty("--level", now.toFixed(4))
    element.style.setProperty("--peak", peak > 0.005 ? peak.toFixed(4) : -1)
    element.setAttribute("aria-valuenow", value.toFixed(1))
    if (!isReduction && value > OVER) element.classList.add("over")
  })
  element.addEventListener("click", () => element.classList.remove("over"))
  let removeViewer
  const observer = new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting) removeViewer ??= stream.addViewer()
    else { removeViewer?.(); removeViewer = undefined }
  })
  observer.observe(element)
  onRemoved(element, app.values.listen(address, show), () => { observer.disconnect(); removeViewer?.() })
  show()
  return element
}
