// The sound card: which one, how loud, at which rate and period.

import { app } from "../app.js"
import { fader } from "../control/fader.js"
import { listMenu } from "../control/listmenu.js"
import { card, el } from "../element/dom.js"
import { onRemoved } from "../element/lifetime.js"
import { sentence } from "./findings.js"

export function soundCard() {
  const reason = el("p", { class: "hint" })
  const show = () => {
    const [why, offer] = [app.values.get("/card/reason", ""), app.values.get("/card/offer", "")]
    reason.textContent = [why && sentence(why), offer && `${offer} is used from the next silence on.`].filter(Boolean).join(" ") || (app.values.get("/card", "") ? "" : "No sound card is in use: plug one in, or choose one.")
  }
  const frame = card("sound-card", "Sound card", "coral",
    el("div", { class: "cells rank-1" }, listMenu("Card", "/card", { first: ["auto"], none: "none", about: "pipit switches at once, and back if the card gives no sound within ten seconds." }), fader(app.tree.level("/master/card/level", "Volume", "Volume of the sound card's mixer."), 1)),
    el("div", { class: "cells rank-1" },
      listMenu("Sample rate", "/card/rate", { words: (rate) => `${rate / 1000} kHz`.replace("NaN kHz", "–") }),
      listMenu("Period", "/card/period", { words: (frames) => `${frames} frames`, about: "Fewer frames make keys answer sooner, more frames prevent gaps." })),
    reason)
  onRemoved(frame, ...["/card", "/card/reason", "/card/offer"].map((address) => app.values.listen(address, show)))
  show()
  return frame
}
