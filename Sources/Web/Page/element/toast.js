// Toasts: one sentence, shown for six seconds and read out by screen readers.

import { button, el } from "./dom.js"

const SECONDS = 6
/** Milliseconds after a sentence of the page in which a notice of the box is taken to mean the same. */
const SAME = 1500
let timer, shownAt = -Infinity

/** Shows a sentence, with a button for one action. */
export function say(sentence, actWords, act, kind = "") {
  shownAt = performance.now()
  document.getElementById("announcer").textContent = sentence
  const container = document.getElementById("toasts")
  const toast = el("div", { class: `toast ${kind}` }, el("span", {}, sentence), actWords && button(actWords, () => { toast.remove(); act() }))
  container.replaceChildren(toast)
  clearTimeout(timer)
  timer = setTimeout(() => toast.remove(), SECONDS * 1000)
}

/** Shows a notice of the box, unless the page has just shown a sentence of its own. */
export function sayNotice(sentence) { if (performance.now() - shownAt > SAME) say(sentence) }

/** Shows an error. */
export const sayProblem = (error) => say(sentence(error), undefined, undefined, "problem")

function sentence(error) {
  const words = String(error?.message ?? error).trim()
  const first = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
