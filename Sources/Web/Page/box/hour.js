// Load, late blocks, temperature and voices of the last hour, as small plots.

import { app } from "../app.js"
import { card, el, svg } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"

const ADDRESS = "/status/history"
/** The plots, in the order of the box's answer. `limit` is drawn as a line; `high` is the least upper end. */
const PLOTS = [
  { field: "load", name: "Load", unit: "%", limit: 80, high: 100 },
  { field: "late", name: "Late blocks", unit: "", limit: 1, high: 4 },
  { field: "voices", name: "Voices", unit: "", limit: undefined, high: 16 },
  { field: "temperature", name: "Temperature", unit: "°C", limit: 80, high: 90 },
]
/** Seconds between two queries. */
const EVERY = 20

export function hour() {
  const plots = el("div", { class: "plots" })
  const frame = card("hour", "The last hour", "silver", plots)
  const refresh = () => { if (!document.hidden && app.socket.isOpen) app.tell("/status/history") }
  // The last message of the answer.
  const end = app.values.listen(`${ADDRESS}/${PLOTS.at(-1).field}`, () => show(frame, plots))
  const timer = setInterval(refresh, EVERY * 1000)
  app.socket.addEventListener("change", refresh)
  onRemoved(frame, end, () => { clearInterval(timer); app.socket.removeEventListener("change", refresh) })
  refresh()
  return frame
}

function show(frame, plots) {
  const readings = PLOTS.map((plot) => [plot, String(app.values.get(`${ADDRESS}/${plot.field}`, "")).split(" ").filter(Boolean).map(Number).filter((value) => value >= 0)])
  const known = readings.filter(([, values]) => values.length > 1)
  frame.hidden = !known.length
  plots.replaceChildren(...known.map(([plot, values]) => drawn(plot, values)))
}

function drawn({ name, unit, limit, high }, values) {
  const [w, h] = [240, 64], most = Math.max(...values, 0), top = Math.max(high, most * 1.1)
  const y = (value) => h - 2 - (value / top) * (h - 6)
  const d = values.map((value, i) => `${i ? "L" : "M"}${((i / Math.max(1, values.length - 1)) * w).toFixed(1)} ${y(value).toFixed(1)}`).join("")
  const [now, worst] = [values.at(-1) ?? 0, most].map((value) => `${Math.round(value)}${unit && ` ${unit}`}`)
  return el("figure", { class: "plot" }, el("figcaption", {}, el("span", {}, name), el("b", {}, now), el("span", { class: "worst" }, `most ${worst}`)),
    svg("svg", { viewBox: `0 0 ${w} ${h}`, preserveAspectRatio: "none", role: "img", "aria-label": `${name} in the last hour: now ${now}, most ${worst}` },
      limit !== undefined && svg("path", { class: "limit", d: `M0 ${y(limit)}H${w}` }), svg("path", { class: "shade", d: `${d}L${w} ${h}L0 ${h}Z` }), svg("path", { class: "line", d })))
}
