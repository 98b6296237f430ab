// The keyboard: pages, search, presets, undo, panic. Single letters can be switched off (WCAG 2.1.4).

import { redo, undo } from "../control/turn.js"
import { openDialog } from "../element/dialog.js"
import { el } from "../element/dom.js"
import { toggleDock } from "../play/keyboard.js"
import { loadNext } from "../presets/acts.js"
import { panic } from "./top.js"
import { go, VIEWS } from "./views.js"

/** Milliseconds between two presses of Escape that mean panic. */
const TWICE = 500
const SETTING = "pipit.letters"

const letters = {
  "/": search, k: toggleDock, m: toggleSide, "?": help, "[": () => loadNext(-1), "]": () => loadNext(1),
  ...Object.fromEntries(Object.keys(VIEWS).map((name, index) => [String(index + 1), () => go(name)])),
}

let lastEscape = -Infinity

export function handleShortcuts() {
  addEventListener("keydown", (event) => {
    const { key, target } = event
    if (key === "Escape") {
      if (event.timeStamp - lastEscape < TWICE) panic()
      lastEscape = event.timeStamp
    }
    const isTyping = target.matches?.("input:not([type=range]):not([type=radio]), textarea")
    if ((event.ctrlKey || event.metaKey) && !isTyping && key.toLowerCase() === "z") {
      event.preventDefault()
      return event.shiftKey ? redo() : undo()
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return
    const act = letters[key.toLowerCase()]
    if (!act || !areOn()) return
    event.preventDefault()
    act()
  })
}

const areOn = () => localStorage.getItem(SETTING) !== "off"

function search() {
  const focus = () => document.querySelector("main input[type=search]")?.focus()
  if (document.body.dataset.view === "presets") return focus()
  go("presets")
  setTimeout(focus, 150)
}

function toggleSide() { document.body.classList.toggle(matchMedia("(min-width: 1500px)").matches ? "hides-side" : "shows-side") }

/** Shows the shortcuts, and lets single keys be switched off. */
export function help() {
  const rows = [
    ["1 … 6", Object.values(VIEWS).map(({ title }) => title).join(", ")], ["/", "Search presets"], ["[  ]", "Previous and next preset"],
    ["Tab", "Next control"], ["← →", "Turn it; with Shift finely"], ["Page ↑ ↓", "Ten steps"], ["Enter", "Type a value"], ["Delete", "Default"],
    ["Ctrl Z", "Undo; with Shift redo"], ["K", "Keys"], ["M", "Scope and meters"], ["Esc Esc", "Panic: ends all notes"],
  ]
  const setting = el("input", { type: "checkbox", checked: areOn(), onchange: () => localStorage.setItem(SETTING, setting.checked ? "on" : "off") })
  openDialog("Keyboard", [
    el("dl", { class: "shortcuts" }, rows.map(([keys, does]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, does)])),
    el("p", { class: "hint" }, "A drag turns a control; slid off across it turns finely. A double tap restores the default, a long press opens its card."),
    el("label", { class: "check" }, setting, "Single keys are shortcuts")])
}
