// A lock against stray touches: a tap locks, a hold unlocks.

import { el, icon } from "../element/dom.js"

/** Milliseconds that unlock. */
const HOLD = 800
const SHACKLE = { open: "M8.5 11V7a3.5 3.5 0 0 1 6.8-1.2", shut: "M8.5 11V7a3.500 3.500 0 0 1 7 0v4" }

export function lockButton(changed) {
  let isLocked = false, timer
  const face = el("button", { type: "button", class: "lock keeps", "--hold": `${HOLD}ms` })
  const show = () => {
    face.replaceChildren(icon(`M6 11h12v9H6z${isLocked ? SHACKLE.shut : SHACKLE.open}`), el("span", {}, isLocked ? "Locked: hold to unlock" : "Lock"))
    face.setAttribute("aria-pressed", String(isLocked))
  }
  const set = (to) => {
    isLocked = to
    show()
    changed(isLocked)
  }
  const begin = () => {
    if (!isLocked || timer) return
    face.classList.add("is-held")
    timer = setTimeout(() => { end(); set(false); wasUnlocked = true }, HOLD)
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
    face.classList.remove("is-held")
  }
  // The click that ends the hold locks nothing.
  let wasUnlocked = false
  face.addEventListener("pointerdown", begin)
  face.addEventListener("keydown", ({ key, repeat }) => { if (!repeat && (key === "Enter" || key === " ")) begin() })
  for (const name of ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"]) face.addEventListener(name, end)
  face.addEventListener("click", () => {
    if (wasUnlocked) wasUnlocked = false
    else if (!isLocked) set(true)
  })
  show()
  return face
}
