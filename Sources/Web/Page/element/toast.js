// Toasts: a sentence of the page and a notice of the box, each shown for six seconds and read out by screen readers.

import { button, el } from "./dom.js"

const SECONDS = 6
/** The toast of the page and that of the box. Neither takes the place of the other. */
const shown = { page: undefined, box: undefined }

/** Shows a sentence, with a button for one action. */
export function say(sentence, actWords, act, kind = "") { show("page", sentence, actWords, act, kind) }

/** Shows a notice of the box; none ends the one that is shown only when its time is over. */
export function sayNotice(sentence) { show("box", sentence) }

function show(whose, sentence, actWords, act, kind = "") {
  document.getElementById("announcer").textContent = sentence
  const toast = el("div", { class: `toast ${kind}` }, el("span", {}, sentence), actWords && button(actWords, () => { toast.remove(); act() }))
  shown[whose]?.remove()
  shown[whose] = toast
  document.getElementById("toasts").append(toast)
  setTimeout(() => toast.remove(), SECONDS * 1000)
}

/** Shows an error. */
export const sayProblem = (error) => say(sentence(error), undefined, undefined, "problem")

function sentence(error) {
  const words = String(error?.message ?? error).trim()
  const first = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
