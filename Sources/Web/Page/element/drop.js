// Files that are dropped on the page.

import { el } from "./dom.js"
import { untilGone } from "./frame.js"

/** Takes files that are dropped anywhere while `frame` is in the page. `words` say what will happen. */
export function takeDrops(frame, words, take) {
  const veil = el("div", { class: "drop-veil" }, el("b", {}, words))
  let depth = 0
  const hide = () => {
    depth = 0
    veil.remove()
  }
  const isFile = (event) => event.dataTransfer?.types.includes("Files")
  const hears = {
    dragenter(event) {
      if (!isFile(event)) return
      event.preventDefault()
      if (!depth++) document.body.append(veil)
    },
    dragover(event) { if (isFile(event)) event.preventDefault() },
    dragleave() { if (depth && !--depth) hide() },
    drop(event) {
      if (!isFile(event)) return
      event.preventDefault()
      hide()
      take([...event.dataTransfer.files])
    },
  }
  for (const [name, hear] of Object.entries(hears)) addEventListener(name, hear)
  untilGone(frame, hide, () => { for (const [name, hear] of Object.entries(hears)) removeEventListener(name, hear) })
}
