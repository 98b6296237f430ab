// How the song is played: its tempo, its transposition, and its channels.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { button, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"

const CHANNELS = Array.from({ length: 16 }, (_, index) => index + 1)
const SEMITONES = 12

/** The card of these settings, shown while a song is loaded. */
export function channelCard() {
  const tempo = app.tree.level("/song/tempo", "Tempo", "Tempo of the song in percent of its own. It changes at once, and the position stays.", { low: 25, high: 400, curve: "exponential", initial: 100 })
  const programs = el("p", { class: "hint" })
  const frame = el("section", { class: "section", "data-hue": "violet", "aria-label": "Channels" },
    el("header", {}, el("h2", {}, "Channels")),
    el("div", { class: "song-mix" }, fader(tempo, 1), transposition()),
    programs,
    el("ul", { class: "song-channels" }, CHANNELS.map(channel)))
  const show = () => {
    frame.hidden = !app.values.get("/song/name", "")
    const meaning = app.values.get("/song/programs", "")
    programs.textContent = meaning && `Programs: ${meaning}`
  }
  onRemoved(frame, ...["name", "programs"].map((word) => app.values.listen(`/song/${word}`, show)))
  show()
  return frame
}

/** A semitone up or down, and back. */
function transposition() {
  const value = el("button", { type: "button", class: "value", title: "Back to the song's own key", onclick: () => turn(0) })
  const at = () => app.values.get("/song/transpose", 0)
  const step = (by) => turn(Math.max(-SEMITONES, Math.min(SEMITONES, at() + by)))
  // The next press must not wait for the box.
  const turn = (semitones) => { if (app.tell("/song/transpose", semitones)) app.values.set("/song/transpose", semitones) }
  const [down, up] = [button("−", () => step(-1), "round", { "aria-label": "A semitone down" }), button("+", () => step(1), "round", { "aria-label": "A semitone up" })]
  const frame = el("div", { class: "transposition", role: "group", "aria-label": "Transposition" }, down, value, up)
  const show = () => {
    value.textContent = `${at() > 0 ? "+" : at() < 0 ? "−" : ""}${Math.abs(at())} st`
    value.setAttribute("aria-label", `Transposed by ${at()} semitones; back to 0`)
    down.disabled = at() <= -SEMITONES
    up.disabled = at() >= SEMITONES
  }
  onRemoved(frame, app.values.listen("/song/transpose", show))
  show()
  return frame
}

/** A channel: its sound, and a lamp that is lit while notes sound. A press mutes it. */
function channel(number) {
  const stem = `/song/channel/${number}`
  const name = el("span", { class: "name" }), lamp = el("span", { class: "lamp", "aria-hidden": "true" }), word = el("span", { class: "word" })
  const isMuted = () => app.values.get(`${stem}/mute`, 0) > 0
  const face = el("button", { type: "button", role: "switch", onclick: () => app.tell(`${stem}/mute`, isMuted() ? 0 : 1) }, lamp, el("b", {}, number), name, word)
  const frame = el("li", {}, face)
  const show = () => {
    const sound = app.values.get(`${stem}/name`, "")
    frame.hidden = !sound && !isMuted()
    name.textContent = sound
    word.textContent = isMuted() ? "muted" : ""
    face.setAttribute("aria-checked", String(isMuted()))
    face.setAttribute("aria-label", `Mute channel ${number}, ${sound}`)
    lamp.classList.toggle("is-lit", app.values.get(`${stem}/sounding`, 0) > 0)
  }
  onRemoved(frame, app.values.listenAll(`${stem}/`, show))
  show()
  return frame
}
