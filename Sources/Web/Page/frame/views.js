// The views by their names in the address: #panel/filter, #presets, and so on.

import { app } from "../app.js"
import { findings } from "../box/findings.js"
import { button, el, icon, nothing } from "../element/dom.js"
import { sweep } from "../element/lifetime.js"

/** Title, icon and module of each view. A view is made when it is opened; its module loads when first needed. */
export const VIEWS = {
  panel: { title: "Panel", icon: "M5 4v16M12 4v16M19 4v16M2 9h6M9 15h6M16 8h6", load: () => import("../view/panel.js") },
  presets: { title: "Presets", icon: "M3 6h11M3 12h11M3 18h7M18 9l1.5 3.2 3.5.4-2.6 2.4.7 3.5-3.1-1.8-3.1 1.8.7-3.5-2.6-2.4 3.5-.4z", load: () => import("../view/presets.js") },
  mixer: { title: "Mixer", icon: "M4 20V10M9 20V4M14 20v-7M19 20V7", load: () => import("../view/mixer.js") },
  songs: { title: "Songs", icon: "M9 18a3 3 0 1 1-2-2.8V5l12-2v12M19 15a3 3 0 1 1-2-2.8", load: () => import("../view/songs.js") },
  box: { title: "Box", icon: "M4 6h16v12H4zM7 12h2l2-3 2 6 2-3h2", load: () => import("../view/box.js") },
  stage: { title: "Stage", icon: "M12 3v4M5 21l4-14h6l4 14M9 14h6", load: () => import("../view/stage.js") },
}

const FIRST = "panel"
let wanted = 0

/** The view that the address names, and the path after its name. */
function route() {
  const [name, ...path] = decodeURIComponent(location.hash.slice(1)).split("/")
  return VIEWS[name] ? { name, path } : { name: FIRST, path: [] }
}

export const go = (hash) => { location.hash = hash }

/** Makes the view that the address names. */
export async function openView() {
  const { name, path } = route()
  const mine = ++wanted
  let view
  try {
    view = (await VIEWS[name].load()).view
  } catch (error) {
    console.error(error)
    view = () => nothing("This page did not come.", "The box may be away, or have a newer page.", button("Reload", () => location.reload(), "strong"))
  }
  if (mine !== wanted) return
  const main = document.getElementById("main")
  const before = document.body.dataset.view, isSame = before === name
  document.body.dataset.view = name
  showRail(name)
  retitle()
  main.replaceChildren(el("h1", { class: "unseen" }, VIEWS[name].title), view(path))
  main.scrollTop = 0
  sweep()
  // A screen reader and the Tab key continue in the new view.
  if (!isSame && before && document.activeElement === document.body) main.focus({ preventScroll: true })
}

/** Sets the title of the window: preset, view, box. */
export function retitle() {
  const preset = app.values.get("/preset/name", "")
  document.title = [preset, VIEWS[route().name].title, app.tree.name].filter(Boolean).join(" · ")
}

/** Milliseconds after which the doctor is asked for the number of its findings. */
const LATER = 4000

const links = new Map()

/** The pages: at the side, or below on a phone. */
export function buildRail() {
  const bubble = el("span", { class: "bubble", hidden: true }, "!")
  for (const [name, { title, icon: d }] of Object.entries(VIEWS)) {
    links.set(name, el("a", { href: `#${name}` }, icon(d), el("span", {}, title), name === "box" && bubble))
  }
  const show = () => {
    const count = app.values.get("/doctor/count", 0)
    bubble.hidden = !count
    bubble.textContent = count
    links.get("box").setAttribute("aria-label", count ? `Box, ${count} ${count === 1 ? "thing" : "things"} to look at` : "Box")
  }
  app.values.listen("/doctor/count", show)
  setTimeout(() => findings().catch(() => {}), LATER)
  show()
  return el("nav", { class: "rail", id: "rail", "aria-label": "Pages" }, [...links.values()])
}

function showRail(current) {
  for (const [name, link] of links) name === current ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")
}
