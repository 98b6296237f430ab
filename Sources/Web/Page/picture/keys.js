// Keys as small as a word.

import { el, svg } from "../element/dom.js"

const OCTAVES = 3, WHITES = 7 * OCTAVES
const BLACKS = [0, 1, 3, 4, 5]

export function tinyKeys() {
  const blacks = Array.from({ length: OCTAVES }, (_, octave) => BLACKS.map((white) => (octave * 7 + white) * 10 + 7)).flat()
  const rect = (x, width, height, kind) => svg("rect", { x, y: 0, width, height, class: kind })
  return el("span", { class: "thumbnail" }, svg("svg", { viewBox: `0 0 ${WHITES * 10} 40`, preserveAspectRatio: "none", "aria-hidden": "true" },
    Array.from({ length: WHITES }, (_, i) => rect(i * 10, 9, 40, "tiny-white")), blacks.map((x) => rect(x, 6, 24, "tiny-black"))))
}
