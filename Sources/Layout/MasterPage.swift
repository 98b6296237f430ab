import Synth

// The page of what all parts go through.

extension Panel {
  /// The equalizer, and the meters of what goes out: beside it on a tablet, below it on a phone.
  mutating func master(_ frame: Frame) {
    var rest = frame
    let isTablet = size == .tablet
    let meters =
      isTablet ? rest.cutRight(220, gap: size.gap) : rest.cutBottom(3 * Size.finger, gap: size.gap)
    section("/master/eq", in: rest)
    background("section OUTPUT", meters)
    var inside = meters.inset(size.padding)
    caption(
      "OUTPUT", inside.cutTop(size.title + 6, gap: 4), .silver, largest: size.title, align: 1)
    let cells = isTablet ? inside.columns(2, gap: size.gap) : inside.rows(2, gap: size.gap)
    meter("/status/peak", "PEAK", Double(Limits.silence)...0, cells[0], .green, fromEnd: false)
    // It hangs from above, as what is taken off the other does.
    meter("/status/reduction", "LIMITER", 0...20, cells[1], .amber, fromEnd: true)
  }

  /// A bar that pipit moves over a range, with its name and its text. It takes no touches. One that stands begins at its
  /// foot and one that lies at its left, or else at its end.
  private mutating func meter(
    _ address: String, _ words: String, _ range: ClosedRange<Double>, _ frame: Frame, _ color: Color,
    fromEnd: Bool
  ) {
    var rest = frame
    let stands = frame.h > frame.w
    let height = size.text * 3 / 2
    let name = stands ? rest.cutTop(height, gap: 3) : rest.cutLeft(64, gap: size.gap)
    let text = stands ? rest.cutBottom(height, gap: 2) : rest.cutRight(64, gap: size.gap)
    caption(words, name)
    var bar = LayoutNode(.fader, address, rest, color)
    // The sides that it can begin at are numbered from the foot on, clockwise.
    bar["orientation"] = .int((stands ? 0 : 1) + (fromEnd ? 2 : 0))
    for property in ["interactive", "grabFocus", "cursor"] { bar[property] = .flag(false) }
    bar.messages = [.receive(address, .value("x", .float, low: range.lowerBound, high: range.upperBound))]
    add(bar)
    readout(address + "/text", text, characters: 8)
  }
}
