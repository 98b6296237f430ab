import Scenes

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

extension Panel {
  /// The beat and the bar, large, and below them the buttons of the transport and the tap; then the choice of the
  /// clock.
  mutating func transport(_ frame: Frame) {
    background("section CLOCK", frame)
    var inside = frame.inset(size.padding)
    var head = inside.cutTop(size.title + 6, gap: 4)
    lamp("/clock/running", head.cutRight(14), .green, .int, shape: .triangle)
    caption("CLOCK", head, .silver, largest: size.title, align: 1)
    clockSource(inside.cutBottom(Size.finger, gap: size.gap))
    let buttons = inside.cutBottom(Size.finger + 8, gap: size.gap).columns(4, gap: size.gap)
    trigger("/clock/start", "START", buttons[0], Color.green.dimmed(0.75))
    trigger("/clock/stop", "STOP", buttons[1], Color.silver.dimmed(0.6))
    trigger("/clock/continue", "CONTINUE", buttons[2], Color.silver.dimmed(0.6))
    trigger("/tempo/tap", "TAP", buttons[3], Color.violet.dimmed(0.8))
    let shown = [("/beat/text", "BEAT"), ("/beat/bar/text", "BAR"), ("/tempo/text", "TEMPO")]
    for ((address, words), column) in zip(shown, inside.columns([3, 3, 4], gap: size.gap)) {
      var cell = column
      caption(words, cell.cutTop(size.text * 3 / 2), .grey)
      readout(address, cell, characters: address == "/tempo/text" ? 9 : 4, largest: min(64, cell.h * 3 / 4))
    }
  }

  /// The clock that the beat follows, and whether a song begins again at its end. A device by its name is chosen on the
  /// page of the box or by `pipit devices`.
  private mutating func clockSource(_ frame: Frame) {
    var rest = frame
    readout("/clock/source", rest.cutLeft(frame.w / 4, gap: size.gap), .silver, characters: 10)
    let cells = rest.columns(4, gap: size.gap)
    for (source, cell) in zip(["auto", "own", "song"], cells) {
      button(
        "/clock/source \(source)", source.uppercased(), cell, Color.silver.dimmed(0.6),
        [.send("/clock/source", [.constant(source, .string)], on: ["x"], .rise)])
    }
    button(
      "/song/loop", "LOOP", cells[3], Color.amber.dimmed(0.6), [.both("/song/loop", .value("x", .int))],
      type: 2)
  }
}
