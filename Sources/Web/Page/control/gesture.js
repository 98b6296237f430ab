// One gesture for each pointer and element, so that ten fingers turn ten knobs. A drag is relative: a touch alone
// changes nothing, so scrolling, taps and double taps are safe.

/** Milliseconds of a hold, and between two taps; pixels within which a finger stands still. */
const HOLD = 500, TWICE = 300, STILL = 5
/** Fine turning: the sideways distance of the finger in pixels, and the scale from there on. */
const FINER = [[140, 0.1], [64, 0.25]]

const running = new Set()

/** Ends all gestures where they are, as when another part comes into focus. */
export function endGestures() { for (const end of [...running]) end() }

/**
 * Handles drags, taps, double taps and holds on an element.
 * - `start(event)`, `move(dx, dy, scale, event)`, `end(event)` of a drag; `scale` is 1, or less for fine turning.
 * - `tap`, `twice` and `hold` of a finger that stood still.
 * - `across`: the axis of the drag, "x" or "y"; a slide along the other makes it fine. "both" has no fine slide.
 */
export function gesture(element, { start, move, end, tap, twice, hold, across = "x" }) {
  let lastTap = -Infinity
  let owner

  element.addEventListener("pointerdown", (down) => {
    if (owner !== undefined || down.button > 0 || element.closest("[inert]")) return
    owner = down.pointerId
    element.setPointerCapture(owner)
    let [before, isMoved, isHeld] = [down, false, false]
    const timer = hold && setTimeout(() => {
      if (isMoved) return
      isHeld = true
      hold(down)
    }, HOLD)

    const onMove = (event) => {
      if (event.pointerId !== owner || isHeld) return
      if (!isMoved) {
        if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < STILL) return
        isMoved = true
        clearTimeout(timer)
        // Movement within the dead zone does not count.
        before = event
        return start?.(down)
      }
      move?.(event.clientX - before.clientX, event.clientY - before.clientY, scaleOf(event, down, across), event)
      before = event
    }
    const finish = () => {
      clearTimeout(timer)
      owner = undefined
      running.delete(finish)
      for (const [name, listener] of listeners) element.removeEventListener(name, listener)
      if (isMoved) end?.()
    }
    const onEnd = (event) => {
      if (event.pointerId !== owner) return
      finish()
      if (isMoved || isHeld || event.type !== "pointerup") return
      if (twice && event.timeStamp - lastTap < TWICE) {
        lastTap = -Infinity
        return twice(event)
      }
      lastTap = event.timeStamp
      tap?.(event)
    }
    const listeners = [["pointermove", onMove], ["pointerup", onEnd], ["pointercancel", onEnd], ["lostpointercapture", onEnd]]
    for (const [name, listener] of listeners) element.addEventListener(name, listener)
    running.add(finish)
  })
}

function scaleOf(event, down, across) {
  if (event.shiftKey) return 0.1
  if (across === "both") return 1
  const away = Math.abs(across === "x" ? event.clientY - down.clientY : event.clientX - down.clientX)
  return FINER.find(([distance]) => away > distance)?.[1] ?? 1
}
