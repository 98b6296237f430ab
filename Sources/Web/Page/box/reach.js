// How to reach the box: addresses, QR code, TouchOSC layouts.

import { app } from "../app.js"
import { button, card, el, row } from "../element/dom.js"
import { download } from "../link/files.js"

/** Layouts of the box: name, file, size. */
const LAYOUTS = [["For a tablet", "pipit.tosc", "tablet"], ["For a phone", "pipit-phone.tosc", "phone"]]

export function reach() {
  const code = el("img", { class: "qr", src: "/app/qr.svg", alt: `QR code of http://${location.host}`, width: 132, height: 132 })
  code.addEventListener("error", () => { code.hidden = true })
  const byName = `http://${app.tree.name}.local${location.port ? `:${location.port}` : ""}`
  const here = `http://${location.host}`
  return card("ways-in", "Reach it", "cyan", el("div", { class: "reach-body" }, code, el("div", {},
    address(here, "this page"), byName.toLowerCase() !== here.toLowerCase() && address(byName, "by name, where the network knows it"),
    el("p", { class: "hint" }, "On an iPad: Share, then “Add to Home Screen”, fills the screen. Keep it awake under Settings, Display & Brightness, Auto-Lock."))), accessPoint())
}

const address = (text, words) => el("p", { class: "address" }, el("code", {}, text), el("span", {}, words))

/** The Wi-Fi network that the box has opened: name, password, and a code by which a phone joins it. */
function accessPoint() {
  const frame = el("div", { class: "reach-body", hidden: true })
  fetch("/app/wifi.txt").then((answer) => answer.text()).then((text) => {
    const [name, password] = text.trimEnd().split("\n")
    if (!password) return
    frame.append(
      el("img", { class: "qr", src: "/app/wifi.svg", alt: `QR code of the Wi-Fi network ${name}`, width: 132, height: 132 }),
      el("div", {}, address(name, "the Wi-Fi network of this box"), address(password, "its password")))
    frame.hidden = false
  }).catch(() => {})
  return frame
}

/** The layouts for TouchOSC, to download. */
export function layouts() {
  const port = el("p", { class: "hint" })
  const show = () => { port.textContent = `In TouchOSC, choose UDP, host ${location.hostname}, send port ${app.values.get("/status/port", 8000) || 8000}, receive port 9000.` }
  app.questions.ask("/status/port").then(([number]) => { app.values.set("/status/port", number); show() }).catch(() => {})
  show()
  return card("layouts", "TouchOSC layouts", "violet", el("ul", { class: "rows" }, LAYOUTS.map(([name, file, size]) => row(name, file, button("Download", () => download(`/app/pipit.tosc?size=${size}`, file), "", { "aria-label": `Download ${file}` })))), port)
}
