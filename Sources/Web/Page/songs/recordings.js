// The recordings: to play here, to download, to rename.

import { app } from "../app.js"
import { moreButton } from "../element/dialog.js"
import { button, el, nothing } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { say } from "../element/toast.js"
import { download } from "../link/files.js"
import { recordButton } from "../mixer/strip.js"
import { clock, size } from "../model/numbers.js"
import { recordings } from "./shelf.js"

const PATH = "/app/recording/"

export function recordingCard() {
  const list = el("div")
  const player = el("audio", { controls: true, hidden: true, class: "player" })
  const frame = el("section", { class: "section", "data-hue": "coral", "aria-label": "Recordings" },
    el("header", {}, el("h2", {}, "Recordings"), button("Trash", () => recordings.openTrash(), "quiet"), button("Keep the last", () => { app.tell("/record/last", 1); setTimeout(() => recordings.refresh(), 1500) }, "", { title: "Writes what was just played into a file" }), recordButton()),
    player, list)
  const show = () => {
    const { files, problem } = recordings
    list.replaceChildren(files?.length ? el("ul", { class: "rows" }, files.map((file) => row(file, player)))
      : problem ? el("p", { class: "hint" }, "This box does not list its recordings.")
      : files ? nothing("Nothing was recorded.", "Press Record, or Keep for what was just played.") : el("p", { class: "hint" }, "Asking for the recordings…"))
  }
  recordings.addEventListener("change", show)
  // A recording that ends is a new file.
  onRemoved(frame, () => { recordings.removeEventListener("change", show); player.pause() }, app.values.listen("/record", (isOn) => { if (!isOn) setTimeout(() => recordings.refresh(), 500) }))
  player.addEventListener("error", () => { if (player.src) say("This browser cannot play the recording: download it.", undefined, undefined, "problem") })
  show()
  return frame
}

function row(file, player) {
  const path = PATH + encodeURIComponent(file.name)
  const play = () => {
    player.hidden = false
    if (!player.src.endsWith(path)) player.src = path
    player.paused ? player.play().catch(() => {}) : player.pause()
  }
  const when = file.date.toLocaleString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })
  return el("li", {}, button("▶", play, "round", { "aria-label": `Play ${file.name} on this device` }),
    el("div", { class: "what" }, el("b", {}, file.name), el("span", {}, [when, file.seconds >= 0 && clock(file.seconds), size(file.bytes)].filter(Boolean).join(" · "))),
    moreButton(file.name, [["Download", () => download(path, file.name)], ["Rename…", () => recordings.rename(file)], ["To the trash", () => recordings.discard(file), "danger"]]))
}
