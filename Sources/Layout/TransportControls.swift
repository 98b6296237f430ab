extension Panel {
  /// The beat and the bar, large, and below them the buttons of the transport and the tap.
  mutating func transport(_ frame: Frame) {
    background("section CLOCK", frame)
    var inside = frame.inset(size.padding)
    var head = inside.cutTop(size.title + 6, gap: 4)
    lamp("/clock/running", head.cutRight(14), .green, .int)
    caption("CLOCK", head, .silver, largest: size.title, align: 1)
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
}
