// The matrix: a map of sources and targets, and a row of controls for each slot.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { menu } from "../control/menu.js"
import { el, svg } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { isUsed } from "../model/matrix.js"
import { choiceName } from "../model/numbers.js"

export function matrixPage() {
  const { matrix } = app.tree
  return [
    el("section", { class: "section map span-5", "data-hue": "violet", "aria-label": "What moves what", "--columns": 5, "--rows": 1 }, el("header", {}, el("h2", {}, "What moves what")), arcs()),
    el("section", { class: "section slots span-7", "data-hue": "violet", "aria-label": "Matrix", "--columns": 7, "--rows": 1 },
      el("header", {}, el("h2", {}, "Matrix"), el("span", { class: "hint" }, "source × scale → target")),
      el("div", { class: "slot titles", "aria-hidden": "true" }, ["", "Source", "Amount", "Target", "Scaled by"].map((title) => el("span", {}, title))),
      el("ol", {}, matrix.slots.map(row))),
  ]
}

function row(slot, index) {
  const name = `Slot ${index + 1}`
  const line = el("li", { class: "slot" }, el("span", { class: "number", "aria-hidden": "true" }, index + 1),
    menu(slot.source, 1, { title: `${name} source`, caption: "Source" }), fader(slot.amount, 1, { title: `${name} amount`, caption: "Amount" }),
    menu(slot.target, 1, { title: `${name} target`, caption: "Target" }), menu(slot.scale, 1, { title: `${name} scaled by`, caption: "Scaled by" }))
  const show = () => {
    line.dataset.hue = app.tree.matrix.hueOf(slot.source.choice)
    line.classList.toggle("is-off", !isUsed(slot))
  }
  onRemoved(line, slot.source.listen(show), slot.target.listen(show))
  show()
  return line
}

/** Sources on the left, targets on the right. Thick is a large amount, dashed a negative one, a ring a scale. */
export function arcs({ isThumbnail = false } = {}) {
  const { matrix } = app.tree
  const stage = svg("svg", isThumbnail ? { "aria-hidden": "true" } : { role: "img" })
  const frame = el(isThumbnail ? "span" : "div", { class: isThumbnail ? "thumbnail arcs" : "picture arcs", "data-hue": "violet" }, stage)
  const draw = onceAFrame(() => {
    const [w, h] = [frame.clientWidth, frame.clientHeight]
    if (!w || !h) return
    stage.setAttribute("viewBox", `0 0 ${w} ${h}`)
    const used = matrix.used
    if (!isThumbnail) stage.setAttribute("aria-label", used.map(sentence).join("; ") || "Nothing is moved")
    stage.replaceChildren(...(used.length ? drawn(used, w, h, isThumbnail) : isThumbnail ? [] : [svg("text", { x: w / 2, y: h / 2, class: "scale", "text-anchor": "middle" }, "Nothing is moved yet: choose a source in slot 1.")]))
  })
  const observer = new ResizeObserver(draw)
  observer.observe(frame)
  onRemoved(frame, matrix.listen(draw), () => observer.disconnect())
  return frame
}

const sentence = (slot) => `${choiceName(slot.source.choice)} moves ${choiceName(slot.target.choice)} by ${slot.amount.sentence}${slot.scale.at ? `, scaled by ${choiceName(slot.scale.choice)}` : ""}`

function drawn(used, w, h, isThumbnail) {
  const { matrix } = app.tree
  const side = isThumbnail ? 2 : Math.min(132, w * 0.31), pad = isThumbnail ? 4 : 24
  const from = placed(used.map((slot) => slot.source.choice), h, pad), to = placed(used.map((slot) => slot.target.choice), h, pad)
  const ways = used.flatMap((slot) => {
    const [y1, y2, amount] = [from.get(slot.source.choice), to.get(slot.target.choice), slot.amount.number / 100]
    const hue = matrix.hueOf(slot.source.choice)
    const arc = svg("path", {
      d: `M${side} ${y1}C${w / 2} ${y1} ${w / 2} ${y2} ${w - side} ${y2}`, "data-hue": hue,
      class: `arc${amount < 0 ? " down" : ""}${amount === 0 ? " none" : ""}`, "stroke-width": isThumbnail ? 1.5 : 1.5 + Math.abs(amount) * 10,
    })
    if (isThumbnail || slot.scale.at === 0) return [arc]
    const y = (y1 + y2) / 2
    return [arc, svg("circle", { cx: w / 2, cy: y, r: 7, class: "scaled", "data-hue": hue }), svg("text", { x: w / 2 + 13, y: y - 4, class: "scale" }, `× ${choiceName(slot.scale.choice)}`)]
  })
  if (isThumbnail) return ways
  return [...ways, ...[...from].flatMap(([name, y]) => node(name, side, y, "end", matrix.hueOf(name))), ...[...to].flatMap(([name, y]) => node(name, w - side, y, "start", "silver"))]
}

/** Names from top to bottom, each once. */
function placed(names, h, pad) {
  const each = [...new Set(names)]
  const gap = Math.min(64, (h - 2 * pad) / Math.max(1, each.length - 1)), top = (h - gap * (each.length - 1)) / 2
  return new Map(each.map((name, index) => [name, top + index * gap]))
}

const node = (name, x, y, anchor, hue) => [
  svg("circle", { cx: x, cy: y, r: 5, class: "node", "data-hue": hue }),
  svg("text", { x: anchor === "end" ? x - 12 : x + 12, y: y + 5, class: "node-name", "text-anchor": anchor }, choiceName(name)),
]
