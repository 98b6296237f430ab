// What the box can play, and what it has heard.

import { app } from "../app.js"
import { el } from "../element/dom.js"
import { takeDrops } from "../element/drop.js"
import { untilGone } from "../element/frame.js"
import { recordingCard } from "../songs/recordings.js"
import { recordings, songs } from "../songs/shelf.js"
import { songCard, take } from "../songs/songs.js"

export function view() {
  const frame = el("div", { class: "songs" }, songCard(), recordingCard())
  takeDrops(frame, "Drop MIDI files to keep them on the box", take)
  const look = () => { songs.refresh(); recordings.refresh() }
  app.socket.addEventListener("change", look)
  untilGone(frame, () => app.socket.removeEventListener("change", look))
  look()
  return frame
}
