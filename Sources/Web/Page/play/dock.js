// Keys below any view.

import { sweep } from "../element/frame.js"
import { keyboard } from "./keyboard.js"

/** Octaves by the width of the page. */
const range = () => (innerWidth < 700 ? { from: 48, to: 67 } : innerWidth < 1100 ? { from: 48, to: 84 } : { from: 36, to: 96 })

export function toggleDock() {
  const isShown = document.body.classList.toggle("shows-keys")
  document.getElementById("dock").replaceChildren(...(isShown ? [keyboard(range())] : []))
  sweep()
}
