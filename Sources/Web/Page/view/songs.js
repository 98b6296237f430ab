// The songs that the box can play, and its recordings.

import { app } from "../app.js"
import { moreButton } from "../element/dialog.js"
import { button, el, nothing } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { say, sayProblem } from "../element/toast.js"
import { acceptDrops, chooseFiles, download, upload } from "../link/files.js"
import { clock, size } from "../model/numbers.js"
import { channelCard } from "../songs/channels.js"
import { recordingCard } from "../songs/recordings.js"
import { recordings, songs } from "../songs/shelf.js"

export function view() {
  const frame = el("div", { class: "songs" }, songCard(), el("div", { class: "beside" }, channelCard(), recordingCard()))
  acceptDrops(frame, "Drop MIDI files to keep them on the box", uploadSongs)
  const refresh = () => { songs.refresh(); recordings.refresh() }
  app.socket.addEventListener("change", refresh)
  onRemoved(frame, () => app.socket.removeEventListener("change", refresh))
  refresh()
  return frame
}

const PATH = "/app/song/"
const ENDING = /\.(midi?|kar)$/i

function songCard() {
  const list = el("div")
  const frame = el("section", { class: "section", "data-hue": "green", "aria-label": "Songs" },
    el("header", {}, el("h2", {}, "Songs"), button("Trash", () => songs.openTrash(), "quiet"), button("Upload…", async () => uploadSongs(await chooseFiles(".mid,.midi,.kar,.midi2,audio/midi", true)))),
    playing(), list, el("p", { class: "drop" }, "Drop MIDI files anywhere on this page"))
  const show = () => {
    const { files, problem } = songs
    list.replaceChildren(files?.length ? el("ul", { class: "rows" }, files.map(row))
      : problem ? el("p", { class: "hint" }, "This box does not list its songs; play one by its name from the command line.")
      : files ? nothing("No song is here yet.", "Drop MIDI files on this page, or press Upload. They are kept on the box.") : el("p", { class: "hint" }, "Asking for the songs…"))
  }
  songs.addEventListener("change", show)
  onRemoved(frame, () => songs.removeEventListener("change", show), app.values.listen("/song/name", show), app.values.listen("/song/playing", show))
  show()
  return frame
}

const current = ({ name }) => app.values.get("/song/name", "").replace(ENDING, "") === name.replace(ENDING, "")

function row(song) {
  const isPlaying = current(song) && app.values.get("/song/playing", 0) > 0
  return el("li", { class: isPlaying ? "is-playing" : "" },
    button(isPlaying ? "❚❚" : "▶", () => (isPlaying ? app.tell("/song/stop", 1) : app.tell("/song/play", song.name)), "round", { "aria-label": `${isPlaying ? "Pause" : "Play"} ${song.name}` }),
    el("div", { class: "what" }, el("b", {}, song.name), el("span", {}, [song.seconds >= 0 ? clock(song.seconds) : "cannot be read", size(song.bytes), !song.isOwn && "factory"].filter(Boolean).join(" · "))),
    moreButton(song.name, [["Download", () => download(PATH + encodeURIComponent(song.name), song.name)], ...(song.isOwn ? [["Rename…", () => songs.rename(song)], ["To the trash", () => songs.discard(song), "danger"]] : [])]))
}

/** The song that plays or is stopped, with its position to drag. */
function playing() {
  const name = el("b"), words = el("span", { class: "lyrics" }), time = el("span")
  const face = button("▶", () => app.tell(isOn() ? "/song/stop" : "/song/play", ...(isOn() ? [1] : [])), "round strong")
  const range = el("input", { type: "range", min: 0, max: 1, step: 1, class: "position", "aria-label": "Position" })
  const frame = el("div", { class: "now-playing" }, face, button("■", () => { app.tell("/song/stop", 1); app.tell("/song/rewind", 1) }, "round", { "aria-label": "Stop, and go to the beginning" }), el("div", { class: "what" }, name, words, range, time))
  const isOn = () => app.values.get("/song/playing", 0) > 0
  let isDragged = false
  range.addEventListener("input", () => { isDragged = true; time.textContent = `${clock(range.value)} of ${clock(range.max)}` })
  range.addEventListener("change", () => { isDragged = false; app.socket.send("/song/position", Number(range.value)) })
  const show = () => {
    const title = app.values.get("/song/name", ""), marker = app.values.get("/song/marker", ""), [at, length] = [app.values.get("/song/position", 0), app.values.get("/song/length", 0)]
    frame.hidden = !title
    name.textContent = marker ? `${title} · ${marker}` : title
    words.textContent = app.values.get("/song/lyric", "") || app.values.get("/song/lyric/next", "")
    face.textContent = isOn() ? "❚❚" : "▶"
    face.setAttribute("aria-label", isOn() ? `Pause ${title}` : `Play ${title}`)
    if (isDragged) return
    range.max = Math.max(1, Math.round(length))
    range.value = at
    range.style.setProperty("--done", `${(100 * at) / Math.max(1, length)}%`)
    range.setAttribute("aria-valuetext", `${clock(at)} of ${clock(length)}`)
    time.textContent = `${clock(at)} of ${clock(length)}`
  }
  onRemoved(frame, ...["name", "playing", "position", "length", "lyric", "lyric/next", "marker"].map((word) => app.values.listen(`/song/${word}`, show)))
  show()
  return frame
}

/** Uploads MIDI files. */
async function uploadSongs(files) {
  for (const file of files) {
    if (!ENDING.test(file.name)) { say(`${file.name} is no MIDI file.`, undefined, undefined, "problem"); continue }
    try {
      const words = await upload(PATH + encodeURIComponent(file.name), file)
      say(words || `${file.name} is on the box`)
    } catch (error) {
      sayProblem(error)
    }
  }
  if (files.length) songs.refresh()
}
