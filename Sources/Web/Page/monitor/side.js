// The panel at the side of a wide screen: the output, the clients, and the latest changes.

import { app } from "../app.js"
import { clients } from "../box/clients.js"
import { el } from "../element/dom.js"
import { onceAFrame, sweep } from "../element/lifetime.js"
import { meter } from "./meter.js"
import { bars, scope } from "./scope.js"

/** The most steps of the history that are shown. */
const MOST = 8
/** From this width on it is shown unless it was hidden. */
const WIDE = matchMedia("(min-width: 1500px)")

export function buildSide() {
  const side = document.getElementById("side")
  const isShown = () => (WIDE.matches ? !document.body.classList.contains("hides-side") : document.body.classList.contains("shows-side"))
  const show = () => {
    if (isShown() === side.hasChildNodes()) return
    side.replaceChildren(...(isShown() ? content() : []))
    sweep()
  }
  WIDE.addEventListener("change", show)
  new MutationObserver(show).observe(document.body, { attributeFilter: ["class"] })
  show()
}

function content() {
  return [
    figure("Scope", scope()), figure("Spectrum", bars()),
    el("div", { class: "output" }, el("h2", {}, "Output"), meter("/status/left", "left", { isFlat: true }), meter("/status/right", "right", { isFlat: true }), meter("/status/reduction", "limiter", { isFlat: true, isReduction: true })),
    clientList(), stepList(),
  ]
}

const figure = (title, canvas) => el("figure", { class: "scope" }, el("figcaption", { "aria-hidden": "true" }, title), canvas)

function clientList() {
  const list = el("ul", { class: "history" })
  const container = el("div", { hidden: true }, el("h2", {}, "Here now"), list)
  clients.watch(container, (all) => {
    container.hidden = !all.length
    list.replaceChildren(...all.map(({ name, doing, isMine }) => el("li", {}, el("span", {}, isMine ? "This page" : name), el("b", {}, doing))))
  })
  return container
}

function stepList() {
  const list = el("ol", { class: "history" })
  const show = onceAFrame(() => {
    const steps = app.history.steps.slice(0, MOST)
    list.replaceChildren(...steps.map(({ words, by }) => el("li", {}, el("span", {}, words), el("b", {}, by ?? "you"))))
    if (!steps.length) list.append(el("li", { class: "hint" }, "Nothing yet."))
  })
  app.history.addEventListener("change", show)
  show()
  return el("div", {}, el("h2", {}, "Turned lately"), list)
}
