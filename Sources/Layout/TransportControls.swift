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
