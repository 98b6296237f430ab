// The samples of the output, which the box sends while a picture shows them.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"

/** Samples that are kept; a power of two. */
const LENGTH = 16384
/** Milliseconds after the last viewer in which another one may come. */
const LATER = 300

const ring = new Float32Array(LENGTH)
let written = 0
let viewers = 0
let isRunning = false
const painters = new Set()

export const stream = {
  /** Samples a second. */
  rate: 48000,
  /** The number of samples received in all. */
  get count() { return written },

  /** Copies the newest samples, `back` samples ago, into `out`. */
  latest(out, back = 0) {
    const from = written - back - out.length
    for (let i = 0; i < out.length; i++) out[i] = ring[(from + i) & (LENGTH - 1)]
    return out
  },

  /** Adds a viewer. Returns a function that removes it. */
  addViewer() {
    viewers++
    run()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      viewers--
      // Another view may need the samples in a moment.
      setTimeout(run, LATER)
    }
  },
}

app.onSamples = (rate, blob) => {
  if (!blob) return
  stream.rate = rate || stream.rate
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  for (let i = 0; i + 1 < blob.byteLength; i += 2) ring[written++ & (LENGTH - 1)] = view.getInt16(i) / 32768
  for (const paint of painters) paint()
}

function run() {
  const wanted = viewers > 0 && !document.hidden && app.socket.isOpen
  if (wanted === isRunning) return
  isRunning = wanted
  app.socket.command("MONITOR", wanted)
}

document.addEventListener("visibilitychange", run)
app.socket.addEventListener("change", () => {
  // A new connection must request the samples again.
  isRunning = false
  run()
})

/** Frames a second, at most. */
const RATE = 30

/** A canvas that is painted for as long as it can be seen, and not at all otherwise. `paint(pen, width, height)` draws the newest sound. Without a title it is decoration. */
export function live(paint, title) {
  const paper = el("canvas", title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" })
  const pen = paper.getContext("2d")
  let removeViewer, isSeen = false, last = -Infinity

  // Only new samples make a new picture.
  const frame = onceAFrame(() => {
    if (!removeViewer || performance.now() - last < 1000 / RATE - 4) return
    last = performance.now()
    const scale = devicePixelRatio, [w, h] = [paper.clientWidth, paper.clientHeight]
    const size = [Math.round(w * scale), Math.round(h * scale)]
    if (paper.width !== size[0] || paper.height !== size[1]) [paper.width, paper.height] = size
    pen.setTransform(scale, 0, 0, scale, 0, 0)
    pen.clearRect(0, 0, w, h)
    paint(pen, w, h)
  })
  const update = () => {
    const wanted = isSeen && !document.hidden
    if (wanted === Boolean(removeViewer)) return
    if (wanted) {
      removeViewer = stream.addViewer()
      painters.add(frame)
    } else {
      painters.delete(frame)
      removeViewer()
      removeViewer = undefined
    }
  }
  const observer = new IntersectionObserver(([entry]) => { isSeen = entry.isIntersecting; update() })
  observer.observe(paper)
  document.addEventListener("visibilitychange", update)
  onRemoved(paper, () => {
    observer.disconnect()
    document.removeEventListener("visibilitychange", update)
    isSeen = false
    update()
  })
  return paper
}
