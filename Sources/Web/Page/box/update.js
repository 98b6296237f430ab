// The card that updates the box: a file is sent in pieces, checked and installed beside the running system, and starts
// with the next boot. Only pipit's own card image has it.

import { confirmed } from "../element/dialog.js"
import { button, card, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { sayProblem } from "../element/toast.js"
import { chooseFiles, upload } from "../link/files.js"

/** Bytes of a piece. */
const PIECE = 1 << 20
/** Milliseconds between two queries about whether the update is installed. */
const EVERY = 2_000

export function update() {
  const words = el("p", { class: "hint", "aria-live": "polite" })
  const bar = el("progress", { max: 1, value: 0, hidden: true, "aria-label": "Sent" })
  const choose = button("Choose a file…", () => send(), "strong")
  const restart = button("Start it now", () => startAgain(), "strong")
  const frame = card("update", "Update", "green", words, bar, el("div", { class: "actions" }, choose, restart))
  frame.hidden = true
  restart.hidden = true
  let isSending = false

  const show = ([stage, sentence]) => {
    frame.hidden = !stage
    choose.disabled = stage === "installing"
    restart.hidden = stage !== "installed"
    words.textContent = {
      installing: "The update is checked and written to the card. The box plays on.",
      installed: sentence,
      failed: `Nothing has changed: ${sentence}`,
    }[stage] ?? "A newer system for this card, as an .update file. Settings, presets and recordings stay."
  }
  const refresh = async () => {
    if (document.hidden || isSending) return
    const text = await fetch("/app/update").then((answer) => answer.text()).catch(() => "")
    const end = text.indexOf(" ")
    if (!isSending) show(end < 0 ? [""] : [text.slice(0, end), text.slice(end + 1).trim()])
  }
  const send = async () => {
    const [file] = await chooseFiles(".update")
    if (!file) return
    isSending = true
    bar.hidden = false
    choose.disabled = true
    try {
      for (let at = 0; at < file.size; at += PIECE) {
        words.textContent = `Sending ${file.name}: ${Math.floor((100 * at) / file.size)} %`
        bar.value = at / file.size
        await upload(`/app/update?offset=${at}`, file.slice(at, at + PIECE))
      }
      await upload("/app/update?install", "")
    } catch (error) {
      sayProblem(error)
    }
    isSending = choose.disabled = false
    bar.hidden = true
    refresh()
  }
  const startAgain = async () => {
    if (!await confirmed("Start the box again", "Notes that sound end. It plays again after about half a minute.", "Start it now")) return
    upload("/app/update?restart", "").catch(sayProblem)
  }
  const timer = setInterval(refresh, EVERY)
  onRemoved(frame, () => clearInterval(timer))
  refresh()
  return frame
}
