// Files to and from the box, by HTTP.

import { el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"

/** Lets the browser save an address of the box as a file. */
export function download(path, name = "") {
  const link = document.createElement("a")
  link.href = path
  link.download = name
  link.click()
}

/** Asks for files of the kinds in `accept`. */
export function chooseFiles(accept, isMany = false) {
  return new Promise((resolve) => {
    const input = document.createElement("input")
    Object.assign(input, { type: "file", accept, multiple: isMany })
    input.addEventListener("change", () => resolve([...input.files]))
    input.addEventListener("cancel", () => resolve([]))
    input.click()
  })
}

/** Uploads bytes to an address of the box. Resolves with the answer as text, or rejects with the box's sentence. */
export async function upload(path, body) {
  let answer
  try {
    answer = await fetch(path, { method: "PUT", body, headers: { "X-Pipit": "1", "Content-Type": "application/octet-stream" } })
  } catch {
    throw new Error("The upload broke off.")
  }
  const text = (await answer.text()).trim()
  if (!answer.ok) throw Object.assign(new Error(text || `The box answered ${answer.status}.`), { status: answer.status })
  return text
}

/** Accepts files that are dropped anywhere while `frame` is in the page. `words` announce what will happen. */
export function acceptDrops(frame, words, take) {
  const veil = el("div", { class: "drop-veil" }, el("b", {}, words))
  let depth = 0
  const hide = () => {
    depth = 0
    veil.remove()
  }
  const isFile = (event) => event.dataTransfer?.types.includes("Files")
  const listeners = {
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
  for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener)
  onRemoved(frame, hide, () => { for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener) })
}
