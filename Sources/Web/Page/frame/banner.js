// The banner: a box that does not answer, an outdated page, notices of the box, the steps of learning.

import { app } from "../app.js"
import { button, el } from "../element/dom.js"
import { say, sayNotice, sayProblem } from "../element/toast.js"
import { releaseAll } from "../play/notes.js"

/** Milliseconds without a connection before the banner reports it. */
const PATIENCE = 800

let [patience, clock, wasOpen, isOld] = [undefined, undefined, false, false]

export function watchConnection() {
  app.socket.addEventListener("change", changed)
  app.values.listen("/learn/text", (words) => { if (words) say(words, undefined, undefined, "learning") })
  let notice
  app.values.listen("/notice/whole", (words) => {
    // The first notice may be old.
    if (words && notice !== undefined) sayNotice(words)
    notice = words
  })
  app.onRefusal = (words) => sayProblem(words.replace(/^\/\S+[: ]*/, ""))
  changed()
}

function changed() {
  if (app.socket.isOpen) return opened()
  wasOpen ||= false
  releaseAll()
  patience ??= setTimeout(() => {
    document.body.classList.add("is-offline")
    document.getElementById("main").inert = true
    show()
    clock ??= setInterval(show, 1000)
  }, wasOpen ? PATIENCE : PATIENCE * 3)
}

async function opened() {
  clearTimeout(patience)
  clearInterval(clock)
  patience = clock = undefined
  document.body.classList.remove("is-offline")
  document.getElementById("main").inert = false
  if (!isOld) document.getElementById("banner").replaceChildren()
  if (wasOpen) checkVersion()
  wasOpen = true
}

function show() {
  const since = Math.max(1, Math.round((Date.now() - app.socket.lastReceived) / 1000))
  const next = Math.max(0, Math.ceil((app.socket.nextTry - Date.now()) / 1000))
  const words = el("span", {}, `What you see is from ${ago(since)}; nothing can be turned, and notes held here were let go. ${next ? `Next try in ${next} s.` : "Trying now…"}`)
  const banner = document.getElementById("banner")
  // The button stays, so that it can be pressed while the seconds are counted down.
  if (banner.dataset.says === "offline") return banner.querySelector("span:not(.sign)").replaceWith(words)
  put("offline", `${app.tree.name} does not answer.`, words, button("Try now", () => app.socket.open(), "strong"))
}

const ago = (seconds) => (seconds < 100 ? `${seconds} ${seconds === 1 ? "second" : "seconds"} ago` : `${Math.round(seconds / 60)} minutes ago`)

/** After a restart, the box may have another version, which needs another page. */
async function checkVersion() {
  document.getElementById("banner").removeAttribute("data-says")
  try {
    const answer = await fetch("/?PAGE", { headers: { Accept: "application/json" } })
    const { VERSION = "" } = await answer.json()
    if (VERSION === app.tree.version) return
    isOld = true
    put("old", "The box has another version now.", el("span", {}, `This page is of version ${app.tree.version}, the box has ${VERSION}.`), button("Reload", () => location.reload(), "strong"))
  } catch { /* It will come again. */ }
}

function put(kind, title, ...rest) {
  const banner = document.getElementById("banner")
  banner.dataset.says = kind
  banner.replaceChildren(el("span", { class: "sign", "aria-hidden": "true" }, "▲"), el("b", {}, title), ...rest)
}
