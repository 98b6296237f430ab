// The frames of wavetables, which are loaded from the box once for each table.

/** By name: the frames, each one period of samples of -1…1. */
const tables = new Map()
/** By name: whom to call when a table that is being loaded is there. */
const waiting = new Map()
const NONE = []

/** The ends of the knob for the position: the first and the last frame. */
const FIRST = 0.05, LAST = 0.95

/** The frames of a table. There are none until they are loaded, and `then` is called when they are. */
export function framesOf(name, then) {
  if (tables.has(name)) return tables.get(name)
  if (waiting.has(name)) waiting.get(name).push(then)
  else {
    waiting.set(name, [then])
    load(name).catch(() => waiting.delete(name))
  }
  return NONE
}

async function load(name) {
  const answer = await fetch(`/app/wavetables/${encodeURIComponent(name)}.json`)
  if (!answer.ok) throw answer.status
  const { peak, frames } = await answer.json()
  tables.set(name, frames.map((frame) => frame.map((sample) => sample / peak)))
  const listeners = waiting.get(name)
  waiting.delete(name)
  for (const listener of listeners) listener()
}

/** The value of a table at a phase and at a position of its knob: two neighbouring frames, blended. */
export function tableAt(frames, phase, width) {
  if (!frames.length) return 0
  const position = Math.min(1, Math.max(0, (width - FIRST) / (LAST - FIRST))) * (frames.length - 1)
  const first = Math.min(Math.floor(position), Math.max(0, frames.length - 2)), share = position - first
  const at = (frame) => {
    const x = (phase - Math.floor(phase)) * frame.length, i = Math.floor(x)
    return frame[i % frame.length] + (frame[(i + 1) % frame.length] - frame[i % frame.length]) * (x - i)
  }
  return at(frames[first]) * (1 - share) + (share > 0 ? at(frames[first + 1]) * share : 0)
}
