// Songs and recordings are files of the box; one shelf each.

import { app } from "../app.js"
import { askText, openTrash } from "../element/dialog.js"
import { say, sayProblem } from "../element/toast.js"
import { size } from "../model/numbers.js"
import { order } from "../presets/acts.js"

class Shelf extends EventTarget {
  /** The files: { name, seconds, bytes, date, isOwn }; undefined until they are loaded. */
  files
  /** The reason why they could not be loaded. */
  problem

  /** `stem` is the beginning of the addresses, as /songs. */
  constructor(stem) {
    super()
    this.stem = stem
  }

  async refresh() {
    if (!app.socket.isOpen) return
    try {
      this.files = (await app.questions.list(`${this.stem}/list`)).map(parsed)
      this.problem = undefined
    } catch (error) {
      this.problem = error.message
    }
    this.dispatchEvent(new Event("change"))
  }

  openTrash() {
    const list = async () => (await app.questions.list(`${this.stem}/trash`)).map(parsed).map(({ name, bytes }) => ({ name, words: size(bytes) }))
    openTrash({ list, restore: (name) => this.restore(name), empty: () => this.empty() })
  }

  async rename({ name }) {
    const to = await askText("Rename", { value: name, ok: "Rename", label: "Name" })
    if (!to || to === name) return
    await order(`${this.stem}/rename`, name, to)
    this.refresh()
  }

  async discard({ name }) {
    try {
      await app.questions.ask(`${this.stem}/delete`, name)
      say(`${name} is in the trash`, "Restore", () => this.restore(name))
    } catch (error) {
      sayProblem(error)
    }
    this.refresh()
  }

  async restore(name) {
    const isDone = await order(`${this.stem}/restore`, name)
    this.refresh()
    return isDone
  }

  async empty() {
    await order(`${this.stem}/empty`)
    this.refresh()
  }
}

/** A line: seconds, bytes, seconds since 1970, own or factory, name. */
function parsed(line) {
  const [seconds, bytes, time, origin, ...name] = line.split("\t")
  return { seconds: Number(seconds), bytes: Number(bytes), date: new Date(Number(time) * 1000), isOwn: origin !== "factory", name: name.join(" ") }
}

export const songs = new Shelf("/songs")
export const recordings = new Shelf("/recordings")
