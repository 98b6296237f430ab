// One sentence for everybody: shown for six seconds, and read out.

import { button, el } from "./dom.js"

const SECONDS = 6
let timer

/** Says a sentence, with one thing to do about it. */
export function say(sentence, actWords, act, kind = "") {
  document.getElementById("announcer").textContent = sentence
  const place = document.getElementById("toasts")
  const toast = el("div", { class: `toast ${kind}` }, el("span", {}, sentence), actWords && button(actWords, () => { toast.remove(); act() }))
  place.replaceChildren(toast)
  clearTimeout(timer)
  timer = setTimeout(() => toast.remove(), SECONDS * 1000)
}

/** Says what went wrong. */
export const sayProblem = (error) => say(sentence(error), undefined, undefined, "problem")

function sentence(error) {
  const words = String(error?.message ?? error).trim()
  const first = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
