import Synth

// The page of the master section, which all parts pass through.

extension Panel {
  /// The equalizer, and the output meters: beside it on a tablet, below it on a phone. On a tablet also the clock and
  /// its click.
  mutating func master(_ frame: Frame) {
    var rest = frame
    let isTablet = size == .tablet
    let meters =
      isTablet ? rest.cutRight(220, gap: size.gap) : rest.cutBottom(3 * Size.finger, gap: size.gap)
    if isTablet {
      let clock = rest.cutBottom(250, gap: size.gap).columns([1, 1], gap: size.gap)
      transport(clock[0])
      section("/click", in: clock[1])
    }
    section("/master/eq", in: rest)
    background("section OUTPUT", meters)
    var inside = meters.inset(size.padding)
    caption(
      "OUTPUT", inside.cutTop(size.title + 6, gap: 4), .silver, largest: size.title, align: 1)
    let cells = isTablet ? inside.columns(2, gap: size.gap) : inside.rows(2, gap: size.gap)
    meter("/status/peak", "PEAK", Double(Limits.silence)...0, cells[0], .green, fromEnd: false)
    // The bar of the reduction hangs from above.
    meter("/status/reduction", "LIMITER", 0...20, cells[1], .amber, fromEnd: true)
  }

  /// A bar that pipit moves over a range, with its name and its text. It does not respond to touches. A vertical bar
  /// begins at the bottom and a horizontal one at the left, or each at its other end if `fromEnd`.
  private mutating func meter(
    _ address: String, _ words: String, _ range: ClosedRange<Double>, _ frame: Frame, _ color: Color,
    fromEnd: Bool
  ) {
    var rest = frame
    let isVertical = frame.h > frame.w
    let height = size.text * 3 / 2
    let name = isVertical ? rest.cutTop(height, gap: 3) : rest.cutLeft(64, gap: size.gap)
    let text = isVertical ? rest.cutBottom(height, gap: 2) : rest.cutRight(64, gap: size.gap)
    caption(words, name)
    var bar = LayoutNode(.fader, address, rest, color)
    // The sides are numbered clockwise, from the bottom.
    bar["orientation"] = .int((isVertical ? 0 : 1) + (fromEnd ? 2 : 0))
    for property in ["interactive", "grabFocus", "cursor"] { bar[property] = .flag(false) }
    bar.messages = [.receive(address, .value("x", .float, low: range.lowerBound, high: range.upperBound))]
    add(bar)
    readout(address + "/text", text, characters: 8)
  }
}
