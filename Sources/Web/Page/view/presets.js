// Find a sound by typing, see what it is, and act on it. The arrows of the search field move in the list.

import { app } from "../app.js"
import { openTrash } from "../element/dialog.js"
import { button, el, nothing } from "../element/dom.js"
import { onceAFrame, onRemoved } from "../element/lifetime.js"
import { sayProblem } from "../element/toast.js"
import { acceptDrops } from "../link/files.js"
import { loadPreset, order } from "../presets/acts.js"
import { detail } from "../presets/detail.js"
import { favor } from "../presets/edit.js"
import { exportMenu, importFiles } from "../presets/exchange.js"
import { library, placeOf, playingAddresses, slotWords } from "../presets/library.js"
import { filterChips, presetList } from "../presets/list.js"
import { forgetText } from "../presets/text.js"

const trash = () => openTrash({
  list: async () => (await library.trash()).map((preset) => ({ name: preset.name, key: placeOf(preset), words: [slotWords(preset), preset.category].filter(Boolean).join(" · ") })),
  async restore(place) {
    const isDone = await order("/presets/restore", place)
    library.refresh().catch(() => {})
    return isDone
  },
})

/** Rows of Page Up and Page Down. */
const PAGE = 8
/** The last search, kept while the page is open. */
const kept = { words: "", category: "", isFavorites: false, isOwn: false }

export function view() {
  let [shown, chosen] = [[], library.playing()]
  const count = el("p", { class: "count", role: "status" })
  const aside = el("aside", { class: "detail", "aria-label": "The chosen preset" })
  const chips = filterChips(kept, () => show())
  const list = presetList({ choose: (preset) => { choose(preset); document.body.classList.add("shows-detail") }, load, star: favor })
  const none = el("div", { class: "list", hidden: true })
  const search = el("input", {
    type: "search", value: kept.words, placeholder: "Search name, tag, author", "aria-label": "Search presets", autocomplete: "off", spellcheck: "false",
    role: "combobox", "aria-expanded": "true", "aria-controls": "preset-list", "aria-autocomplete": "list", oninput: () => { kept.words = search.value; show() },
  })
  search.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key]
    if (way) choose(shown[Math.min(shown.length - 1, Math.max(0, shown.indexOf(chosen) + way))])
    else if (event.key === "Enter" && chosen) load(chosen)
    else if (event.key === "Escape" && search.value) { search.value = kept.words = ""; show() }
    else return
    event.preventDefault()
  })

  function show() {
    const words = kept.words.toLowerCase().split(/\s+/).filter(Boolean)
    shown = library.all.filter((one) => matches(one, words))
    // Names that begin with the words come first, then names that contain them, then tags; otherwise the order of the
    // slots.
    if (words.length) shown = shown.map((one) => [rank(one, words), one]).sort(([a], [b]) => a - b).map(([, one]) => one)
    chips.show(library.all)
    const all = library.all.length
    count.textContent = !library.isLoaded ? "Asking for the presets…" : shown.length === all ? `${all} presets` : `${shown.length} of ${all}`
    list.show(shown, words)
    none.hidden = shown.length > 0 || !library.isLoaded
    list.element.hidden = !none.hidden
    if (!none.hidden) none.replaceChildren(all ? noMatch() : nothing("No preset is on the box.", "Drop preset files on this page, or import them.", button("Import…", importFiles, "strong")))
    if (!shown.includes(chosen)) chosen = shown.find((one) => chosen && placeOf(one) === placeOf(chosen)) ?? shown.find((one) => one.name === chosen?.name) ?? shown[0]
    choose(chosen, false)
  }

  const noMatch = () => nothing(`Nothing matches ${[kept.words && `“${kept.words}”`, kept.category, kept.isFavorites && "favourites", kept.isOwn && "your own"].filter(Boolean).join(" in ")}.`,
    "Names, tags, categories and authors are searched, in all banks.",
    button("Search everything", () => { Object.assign(kept, { words: "", category: "", isFavorites: false, isOwn: false }); search.value = ""; show(); search.focus() }))

  function choose(preset, isMoved = true) {
    const isOther = preset !== chosen || !aside.firstChild
    chosen = preset
    search.setAttribute("aria-activedescendant", list.mark(preset, isMoved))
    if (isOther || !isMoved) aside.replaceChildren(...(preset ? detail(preset, { load, search: (words) => { search.value = kept.words = words; show() } }) : []))
  }

  function load(preset) { if (preset) loadPreset(preset) }

  const again = onceAFrame(show)
  const ends = [library.listen(again)]
  for (const address of ["/preset/edited", ...playingAddresses(), ...Array.from({ length: 8 }, (_, i) => playingAddresses(i + 1)).flat()]) ends.push(app.values.listen(address, again))
  // Its picture is of what is stored.
  ends.unshift(app.values.listen("/preset/edited", (isEdited) => { if (!isEdited) forgetText(library.playing()) }))
  // Messages about the slots of the tablet's page show that another client has saved or renamed a preset.
  ends.push(app.values.listenAll("/preset/slot/", (_, address) => { if (address.endsWith("/name")) library.refresh().catch(() => {}) }))

  const frame = el("div", { class: "presets" },
    el("div", { class: "finder" }, el("div", { class: "search" }, search, el("kbd", { "aria-hidden": "true" }, "/")), chips.element,
      el("div", { class: "above" }, count, el("span", { class: "spring" }), button("Import…", importFiles, "quiet"), button("Export…", () => exportMenu(chosen, shown), "quiet"), button("Trash", trash, "quiet")),
      list.element, none), aside)
  acceptDrops(frame, "Drop presets to import them", (files) => importFiles(files))
  onRemoved(frame, ...ends, () => document.body.classList.remove("shows-detail"))
  show()
  const ask = () => { if (app.socket.isOpen) library.refresh().catch(sayProblem) }
  app.socket.addEventListener("change", ask)
  onRemoved(frame, () => app.socket.removeEventListener("change", ask))
  ask()
  return frame
}

const matches = (one, words) => (!kept.category || one.category === kept.category) && (!kept.isFavorites || one.isFavorite) && (!kept.isOwn || one.isOwn) && words.every((word) => one.text.includes(word))

function rank({ name }, words) {
  const lower = name.toLowerCase()
  return lower.startsWith(words[0]) ? 0 : words.every((word) => lower.includes(word)) ? 1 : 2
}
