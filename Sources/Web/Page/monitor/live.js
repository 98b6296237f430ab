// A canvas that is painted for as long as it can be seen, and not at all otherwise.

import { el } from "../element/dom.js"
import { untilGone } from "../element/frame.js"
import { stream } from "./stream.js"

/** Frames a second, at most. */
const RATE = 30

/** `paint(pen, width, height)` draws the newest sound. Without a title it is decoration. */
export function live(paint, title) {
  const paper = el("canvas", title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" })
  const pen = paper.getContext("2d")
  let endLook, isSeen = false, last = 0, painted = -1

  const frame = (time) => {
    if (!endLook) return
    if (time - last >= 1000 / RATE - 2 && stream.count !== painted) {
      [last, painted] = [time, stream.count]
      const scale = devicePixelRatio, [w, h] = [paper.clientWidth, paper.clientHeight]
      const size = [Math.round(w * scale), Math.round(h * scale)]
      if (paper.width !== size[0] || paper.height !== size[1]) [paper.width, paper.height] = size
      pen.setTransform(scale, 0, 0, scale, 0, 0)
      pen.clearRect(0, 0, w, h)
      paint(pen, w, h)
    }
    requestAnimationFrame(frame)
  }
  const look = () => {
    const wanted = isSeen && !document.hidden
    if (wanted === Boolean(endLook)) return
    if (wanted) {
      endLook = stream.look()
      requestAnimationFrame(frame)
    } else {
      endLook()
      endLook = undefined
    }
  }
  const observer = new IntersectionObserver(([entry]) => { isSeen = entry.isIntersecting; look() })
  observer.observe(paper)
  document.addEventListener("visibilitychange", look)
  untilGone(paper, () => {
    observer.disconnect()
    document.removeEventListener("visibilitychange", look)
    isSeen = false
    look()
  })
  return paper
}
