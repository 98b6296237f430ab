// Groups of buttons that are one stop of the Tab key: the arrows walk in them.

/** `chosen` finds the button that Tab comes to. */
export function roving(group, chosen = () => group.querySelector("[aria-pressed=true], [aria-selected=true]")) {
  const stops = () => [...group.querySelectorAll("button, [role=option]")].filter((one) => !one.disabled && !one.hidden)
  const mark = (one) => stops().forEach((other) => { other.tabIndex = other === one ? 0 : -1 })
  mark(chosen() ?? stops()[0])
  group.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const list = stops()
    const at = list.indexOf(document.activeElement)
    const to = event.key === "Home" ? list[0] : event.key === "End" ? list.at(-1) : way && list[(at + way + list.length) % list.length]
    if (at < 0 || !to) return
    event.preventDefault()
    mark(to)
    to.focus()
  })
  group.addEventListener("focusin", (event) => { if (stops().includes(event.target)) mark(event.target) })
  return group
}
