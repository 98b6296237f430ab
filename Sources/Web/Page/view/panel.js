// The sound as a strip of live pictures; the chosen page is open below, with all its knobs.

import { app } from "../app.js"
import { button, el, roving } from "../element/dom.js"
import { go } from "../frame/views.js"
import { thumbnail } from "../picture/picture.js"
import { tinyKeys } from "../play/keyboard.js"
import { arpPage } from "./arppage.js"
import { arcs, matrixPage } from "./matrixpage.js"
import { playPage } from "./playpage.js"
import { section } from "./sectionview.js"

/** Pages in the order in which the sound is made. A page without sections is left out, except the matrix. */
const PAGES = [["oscillators", "Oscillators"], ["filter", "Filter"], ["modulation", "Modulation"], ["matrix", "Matrix"], ["effects", "Effects"], ["arp", "Arpeggiator"], ["play", "Play"]]
/** The most small pictures of one page. */
const MOST = 5
const LAST = "pipit.page"

export function view([wanted]) {
  const pages = PAGES.filter(([name]) => name === "matrix" ? app.tree.matrix.slots.length : app.tree.page(name).length)
  const known = (name) => pages.some(([one]) => one === name) && name
  const current = known(wanted) || known(sessionStorage.getItem(LAST)) || pages[0][0]
  sessionStorage.setItem(LAST, current)
  const at = pages.findIndex(([name]) => name === current)
  const tabs = pages.map(([name, title]) => el("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === current), "aria-controls": "page",
    "data-hue": app.tree.page(name)[0]?.hue ?? "violet", onclick: () => go(`panel/${name}`),
  }, el("span", { class: "title" }, title), el("span", { class: "thumbnails", "aria-hidden": "true" }, thumbnails(name))))
  const onward = (to, words) => pages[to] && button(words(pages[to][1]), () => go(`panel/${pages[to][0]}`))
  return el("div", { class: "panel" },
    roving(el("div", { class: "strip", role: "tablist", "aria-label": "The sound" }, tabs)),
    el("div", { class: `page ${current}`, id: "page", role: "tabpanel", "aria-labelledby": `tab-${current}` }, page(current)),
    // For phones, where the strip scrolls out of view: buttons for the neighbouring pages, near the thumb.
    el("div", { class: "onward" }, onward(at - 1, (title) => `‹ ${title}`), el("span", { class: "spring" }), onward(at + 1, (title) => `${title} ›`)))
}

function page(name) {
  const sections = app.tree.page(name).map(section)
  if (name === "matrix") return matrixPage()
  if (name === "arp") return arpPage(sections)
  return name === "play" ? playPage(sections) : sections
}

function thumbnails(name) {
  if (name === "matrix") return arcs({ isThumbnail: true })
  if (name === "play") return tinyKeys()
  return app.tree.page(name).filter((one) => one.picture).slice(0, MOST).map(thumbnail)
}
