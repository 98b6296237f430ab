// Plays a short phrase with a preset that is not loaded, on a part that is off, which then gets its sound back.

import { app, PARTS } from "../app.js"
import { say } from "../element/toast.js"

/** Notes of the phrase: key, begin and end in milliseconds. */
const PHRASES = {
  basses: [[36, 0, 350], [36, 400, 550], [43, 600, 900], [41, 950, 1500]],
  pads: [[48, 0, 2400], [55, 60, 2400], [64, 120, 2400], [71, 180, 2400]],
  plucks: [[60, 0, 200], [64, 180, 380], [67, 360, 560], [72, 540, 900], [67, 760, 1000]],
  other: [[60, 0, 500], [64, 300, 800], [67, 600, 1600], [72, 900, 1600]],
}
/** Milliseconds for the recall before the phrase, and for the tail after it. */
const BEFORE = 150, AFTER = 900

let isPlaying = false

export function audition(preset) {
  if (isPlaying) return
  if (app.values.get("/status/voices", 0) > 0) return say("Something sounds: end it first, then listen.")
  const part = freePart()
  if (!part) return say("All parts are on: load the preset to hear it.")
  isPlaying = true
  const { part: number, on } = part
  const at = (ms, act) => setTimeout(act, ms)
  const phrase = PHRASES[preset.category] ?? PHRASES.other
  app.tell(`/part/${number}/preset/load`, preset.name)
  on.set(1)
  let last = 0
  for (const [key, from, to] of phrase) {
    last = Math.max(last, to)
    at(BEFORE + from, () => app.socket.send(`/part/${number}/note/${key}`, 0.75))
    at(BEFORE + to, () => app.tell(`/part/${number}/note/${key}`, 0))
  }
  at(BEFORE + last + AFTER, () => {
    on.set(0)
    app.tell(`/part/${number}/preset/undo`, 1)
    isPlaying = false
  })
}

/** The highest part that is off, with its switch. */
function freePart() {
  const on = app.tree.page("mixer").map((section) => section.switch ?? section.knob("on")).find(Boolean)
  if (!on) return undefined
  for (let part = PARTS; part > 0; part--) {
    const knob = app.tree.ofPart(part, on)
    if (!knob.isOn && part !== app.focus) return { part, on: knob }
  }
  return undefined
}
