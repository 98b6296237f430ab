// Work that is done once a frame, however often it is requested.

import { endGestures } from "../control/gesture.js"

/** Runs `work` before the next frame, once. */
export function onceAFrame(work) {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      work()
    })
  }
}

const cleanups = new WeakMap()
const owners = new Set()

/** Calls `functions` when `element` has left the page, so that views leave no listeners behind. */
export function onRemoved(element, ...functions) {
  const list = cleanups.get(element) ?? []
  cleanups.set(element, list)
  list.push(...functions.filter(Boolean))
  owners.add(element)
}

/** Ends the listeners of all elements that are no longer in the page. Called when a view has changed. */
export function sweep() {
  endGestures()
  for (const element of owners) {
    if (element.isConnected) continue
    owners.delete(element)
    for (const cleanup of cleanups.get(element) ?? []) cleanup()
  }
}
