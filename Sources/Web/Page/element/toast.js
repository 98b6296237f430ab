// One sentence for everybody: shown for six seconds, and read out.

import { button, el } from "./dom.js"

const SECONDS = 6
/** Milliseconds after a sentence of the page in which a notice of the box says the same. */
const SAME = 1500
let timer, saidAt = -Infinity

/** Says a sentence, with one thing to do about it. */
export function say(sentence, actWords, act, kind = "") {
  saidAt = performance.now()
  document.getElementById("announcer").textContent = sentence
  const place = document.getElementById("toasts")
  const toast = el("div", { class: `toast ${kind}` }, el("span", {}, sentence), actWords && button(actWords, () => { toast.remove(); act() }))
  place.replaceChildren(toast)
  clearTimeout(timer)
  timer = setTimeout(() => toast.remove(), SECONDS * 1000)
}

/** Says a notice of the box, unless the page has just said what was done here. */
export function sayNotice(sentence) { if (performance.now() - saidAt > SAME) say(sentence) }

/** Says what went wrong. */
export const sayProblem = (error) => say(sentence(error), undefined, undefined, "problem")

function sentence(error) {
  const words = String(error?.message ?? error).trim()
  const first = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
