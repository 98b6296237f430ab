// All presets of the box, from its list.

import { app } from "../app.js"

/** Fields of a line of the list, in their order. */
const FIELDS = ["bank", "program", "origin", "problem", "name", "favorite", "category", "tags", "author", "about"]

const events = new EventTarget()
let [presets, pending] = [[], undefined]

export const library = {
  /** The presets that are known, in the order of their slots. */
  get all() { return presets },
  /** Whether the list is loaded. */
  isLoaded: false,

  /** Asks for the list. One question at a time. */
  refresh() {
    pending ??= read().finally(() => { pending = undefined })
    return pending
  },

  /** The presets in the trash. */
  async trash() { return (await app.questions.list("/presets/trash")).map(parsed) },

  named(name) { return presets.find((one) => one.name === name) },

  /** The preset that a part plays; the part in focus without one. */
  playing(part) { return presets.find((one) => isPlaying(one, part)) },

  /** Calls `listener` whenever the list has changed. Returns a function that ends this. */
  listen(listener) {
    events.addEventListener("change", listener)
    return () => events.removeEventListener("change", listener)
  },

  /** Changes fields of a preset until the list is loaded again. */
  change(preset, what) {
    Object.assign(preset, what)
    events.dispatchEvent(new Event("change"))
  },
}

async function read() {
  const lines = await app.questions.list("/presets/list")
  const before = new Map(presets.map((one) => [one.line, one]))
  // What was read of a preset's text is kept while its line, which names its place, is the same.
  presets = lines.map((line) => before.get(line) ?? parsed(line))
  library.isLoaded = true
  events.dispatchEvent(new Event("change"))
}

function parsed(line) {
  const words = line.split("\t")
  const preset = Object.fromEntries(FIELDS.map((field, index) => [field, words[index] ?? ""]))
  Object.assign(preset, { line, bank: Number(preset.bank || -1), program: Number(preset.program || -1), isFavorite: preset.favorite === "1" })
  preset.tags = preset.tags.split(",").map((tag) => tag.trim()).filter(Boolean)
  preset.isOwn = preset.origin !== "factory"
  // The text that is searched.
  preset.text = [preset.name, preset.category, preset.author, ...preset.tags].join(" ").toLowerCase()
  return preset
}

/** What names a preset to the box: its place, since several may have one name; outside the banks, its whole name. */
export const placeOf = ({ bank, program, name }) => (program >= 0 ? `${bank}/${program}` : `=${name}`)

/** The addresses that say which preset a part plays, the part in focus without one. */
export const playingAddresses = (part) => ["bank", "program", "name"].map((word) => `${part ? `/part/${part}` : ""}/preset/${word}`)

/** Whether a part, the one in focus without one, plays a preset. */
export function isPlaying({ bank, program, name }, part) {
  const [playsBank, playsProgram, playsName] = playingAddresses(part).map((address) => app.values.get(address))
  return program >= 0 ? playsBank === bank && playsProgram === program : playsBank === -1 && playsName === name
}

// The banks of the factory's arpeggios, and of its presets from 129 on.
const ARPS = 127
const FURTHER = 126

/** The number of a program in its bank, as people count: from 1, and from 129 in the bank that continues the factory's first. */
export function slotNumber({ bank, program }) {
  return program + (bank === FURTHER ? 129 : 1)
}

/** The slot in words: "Factory 8", as people count. */
export function slotWords({ bank, program, isOwn }) {
  const name = bank === ARPS ? "Arps" : bank === FURTHER ? "Factory" : bank > 1 ? `Bank ${bank}` : isOwn ? "Own" : "Factory"
  return program >= 0 ? `${name} ${slotNumber({ bank, program })}` : name
}
