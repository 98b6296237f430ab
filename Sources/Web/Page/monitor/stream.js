// What is heard: samples that the box sends while somebody looks at them.

import { app } from "../app.js"

/** Samples that are kept; a power of two. */
const LENGTH = 16384

const ring = new Float32Array(LENGTH)
let written = 0
let lookers = 0
let isRunning = false

export const stream = {
  /** Samples a second. */
  rate: 48000,
  /** Samples that have come in all. */
  get count() { return written },

  /** Copies the newest samples, `back` samples ago, into `out`. */
  latest(out, back = 0) {
    const from = written - back - out.length
    for (let i = 0; i < out.length; i++) out[i] = ring[(from + i) & (LENGTH - 1)]
    return out
  },

  /** Someone looks; the result ends that. */
  look() {
    lookers++
    run()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      lookers--
      run()
    }
  },
}

app.onSamples = (rate, blob) => {
  if (!blob) return
  stream.rate = rate || stream.rate
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  for (let i = 0; i + 1 < blob.byteLength; i += 2) ring[written++ & (LENGTH - 1)] = view.getInt16(i) / 32768
}

function run() {
  const wanted = lookers > 0 && !document.hidden && app.socket.isOpen
  if (wanted === isRunning) return
  isRunning = wanted
  app.socket.command("MONITOR", wanted)
}

document.addEventListener("visibilitychange", run)
app.socket.addEventListener("change", () => {
  // Another connection knows nothing of what was asked for.
  isRunning = false
  run()
})
