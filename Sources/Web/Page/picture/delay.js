// The echoes of one stroke: left upwards, right downwards.

/** Ratios of the right side's time, and the quietest echo that is drawn. */
const RATIOS = { "1/1": 1, "3/4": 0.75, "2/3": 2 / 3, "1/2": 0.5 }
const QUIETEST = 0.02, MOST = 64

export function delay(section, w, h) {
  const [time, feedback, mix, ratio, pingpong, sync] = ["time", "feedback", "mix", "ratio", "pingpong", "sync"].map((role) => section.knob(role))
  const isSynced = sync && sync.at > 0
  const seconds = isSynced ? 1 : time.number
  const left = Math.min(8, w * 0.05), middle = h / 2, span = seconds * 6
  const wet = 0.25 + 0.75 * (mix?.at ?? 1), again = Math.min(0.99, (feedback?.number ?? 0) / 100)
  const taps = (step, side) => {
    let d = "", level = wet, from = side
    for (let n = 1; n <= MOST && n * step < span && level > QUIETEST; n++, level *= again) {
      d += `M${(left + ((n * step) / span) * (w - 2 * left)).toFixed(1)} ${middle}v${(-from * level * middle * 0.88).toFixed(1)}`
      if (pingpong?.isOn) from = -from
    }
    return d
  }
  const words = isSynced ? `every ${sync.choice}` : ""
  return {
    lines: [
      { d: `M0 ${middle}H${w}`, as: "axis" }, { d: `M${left} ${h * 0.08}V${h * 0.92}`, as: "bar dry" },
      { d: taps(seconds, 1), as: "bar" }, { d: taps(seconds * (RATIOS[ratio?.choice] ?? 1), -1), as: "bar second" },
    ],
    words: [{ x: left + 10, y: 17, text: "left" }, { x: left + 10, y: h - 9, text: "right" }, words && { x: w - 8, y: 17, text: words, anchor: "end" }].filter(Boolean),
  }
}
