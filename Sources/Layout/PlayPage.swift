import Parameters

extension Panel {
  /// An XY control that plays pitch and loudness, two octaves of keys, bend, wheel and sustain.
  mutating func play(_ frame: Frame) {
    var rest = frame
    if size == .phone { notice(&rest) }
    let keys = rest.cutBottom(size == .tablet ? 250 : 290, gap: size.gap)
    if size == .tablet {
      keyboard(48...72, keys)
    } else {
      let rows = keys.rows(2, gap: size.gap)
      keyboard(60...72, rows[0])
      keyboard(48...60, rows[1])
    }
    if size == .tablet {
      var side = rest.cutLeft(228, gap: size.gap)
      pedal(side.cutBottom(side.h / 5, gap: size.gap))
      wheels(side)
      section("/play", in: rest.cutRight(400, gap: size.gap))
      section("/macro", in: rest.cutRight(180, gap: size.gap))
    } else {
      var side = rest.cutLeft(112, gap: size.gap)
      pedal(side.cutBottom(60, gap: size.gap))
      wheels(side)
      // On a phone they do not fit into the mixer.
      learning(rest.cutTop(Size.finger, gap: size.gap))
      recording(rest.cutTop(Size.finger, gap: size.gap))
      tuning(rest.cutTop(Size.finger, gap: size.gap))
    }
    notePad(rest)
  }

  private mutating func wheels(_ frame: Frame) {
    let columns = frame.columns(2, gap: size.gap)
    springFader("/bend", "BEND", columns[0], low: -1)
    springFader("/wheel", "WHEEL", columns[1], low: 0)
  }

  /// A fader that springs back on release, by a script, since it has no feedback.
  private mutating func springFader(_ address: String, _ words: String, _ frame: Frame, low: Double) {
    var rest = frame
    caption(words, rest.cutTop(24, gap: 2), .green)
    var fader = LayoutNode(.fader, address, rest, .green)
    let start = low < 0 ? 0.5 : 0
    if low < 0 { fader["centered"] = .flag(true) }
    fader.values["x"] = .float(start)
    fader["script"] = .text(
      "function onValueChanged(key)\n  if key == 'touch' and not self.values.touch then\n"
        + "    self.values.x = \(start)\n  end\nend\n" + Panel.holdScript("self.values.touch"))
    fader.messages = [.send(address, [.value("x", .float, low: low, high: 1)], on: ["x"])]
    fader.messages += Panel.repeated(address, [.constant("0", .float)], "touch")
    add(fader)
  }

  private mutating func pedal(_ frame: Frame) {
    button(
      "/sustain", "SUSTAIN", frame, Color.green.dimmed(0.8),
      [.send("/sustain", [.value("x", .float)], on: ["x"])]
        + Panel.repeated("/sustain", [.constant("0", .float)], "x"),
      script: Panel.holdScript("self.values.x > 0"))
  }

  private mutating func notePad(_ frame: Frame) {
    var pad = LayoutNode(.xy, "/play/xy", frame, .green)
    // Two octaves across, and a line at every other key.
    pad["gridStepsX"] = .int(12)
    pad["gridStepsY"] = .int(4)
    let position: [ControlMessage.Partial] = [.value("x", .float), .value("y", .float)]
    pad.messages = [.send("/play/xy", position + [.value("touch", .bool)], on: ["x", "y", "touch"])]
    pad.messages += Panel.repeated("/play/xy", position + [.constant("0", .float)], "touch")
    pad["script"] = .text(Panel.holdScript("self.values.touch"))
    add(pad)
    var rest = frame.inset(8)
    let line = rest.cutBottom(20)
    caption("C3", line, .grey, align: 1)
    caption("PITCH", line, .grey)
    caption("C5", line, .grey, align: 3)
    caption("LOUD", rest.cutTop(20), .grey, align: 1)
  }

  /// Piano keys: the white ones, then the black ones on top.
  private mutating func keyboard(_ notes: ClosedRange<Int>, _ frame: Frame) {
    let whites = notes.filter { !isBlack($0) }
    let columns = frame.columns(whites.count, gap: 2)
    for (note, column) in zip(whites, columns) {
      key(note, column, Color(0.86, 0.88, 0.90))
      if note % 12 == 0 {
        var rest = column
        caption("C\(note / 12 - 1)", rest.cutBottom(26), .amber, keepsColor: true)
      }
    }
    let width = columns[0].w * 2 / 3
    for (note, column) in zip(whites, columns) where notes.contains(note + 1) && isBlack(note + 1) {
      key(
        note + 1, Frame(column.x + column.w + 1 - width / 2, column.y, width, frame.h * 3 / 5),
        Color(0.24, 0.26, 0.30))
    }
  }

  private func isBlack(_ note: Int) -> Bool { [1, 3, 6, 8, 10].contains(note % 12) }

  private mutating func key(_ note: Int, _ frame: Frame, _ color: Color) {
    // A touch has no velocity: 0.8, the usual velocity on a keyboard.
    button(
      "/note/\(note)", "", frame, color,
      [.send("/note/\(note)", [.value("x", .float, low: 0, high: 0.8)], on: ["x"])]
        + Panel.repeated("/note/\(note)", [.constant("0", .float)], "x"),
      script: Panel.holdScript("self.values.x > 0"), keepsColor: true)
  }

  /// A script that sends `/hold 5` once a second while `condition` holds: when the tablet drops off the network or
  /// falls asleep, pipit releases the note after five seconds.
  static func holdScript(_ condition: String) -> String {
    "local told = 0\nfunction update()\n  if \(condition) and getMillis() - told > 1000 then\n"
      + "    told = getMillis()\n    sendOSC('/hold', 5)\n  end\nend"
  }

  /// Two more messages on release, since packets get lost and a note must not hang.
  static func repeated(_ address: String, _ arguments: [ControlMessage.Partial], _ value: String)
    -> [ControlMessage]
  {
    Array(repeating: .send(address, arguments, on: [value], .fall), count: 2)
  }
}
