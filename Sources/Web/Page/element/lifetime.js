// Work that is done once a frame, however often it is requested.

import { endGestures } from "../control/gesture.js"

/** Runs `work` before the next frame, once. */
export function onceAFrame(work) {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      work()
    })
  }
}

const endings = new WeakMap()
const owners = new Set()

/** Runs `ends` when `element` has left the page, so that views leave no listeners behind. */
export function untilGone(element, ...ends) {
  const ref = endings.get(element) ?? []
  endings.set(element, ref)
  ref.push(...ends.filter(Boolean))
  owners.add(element)
}

/** Ends the listeners of all elements that are no longer in the page. Called when a view has changed. */
export function sweep() {
  endGestures()
  for (const element of owners) {
    if (element.isConnected) continue
    owners.delete(element)
    for (const end of endings.get(element) ?? []) end()
  }
}
