extension Panel {
  /// REC, lit while recording, and KEEP for the last seconds; the length below them, or beside them on a phone.
  mutating func recording(_ frame: Frame) {
    var rest = frame
    let length = size == .tablet ? rest.cutBottom(18, gap: 2) : rest.cutRight(56, gap: size.gap)
    readout("/record/text", length, characters: 8, largest: size.text)
    let columns = rest.columns(2, gap: size.gap)
    button(
      "/record", "REC", columns[0], Color.red.dimmed(0.8), [.both("/record", .value("x", .int))], type: 2)
    trigger("/record/last", "KEEP", columns[1], Color.silver.dimmed(0.6))
  }
}
