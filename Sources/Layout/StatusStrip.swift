import Scenes

extension Panel {
  /// The strip above all pages: the preset, the part in focus, load and health, and LEARN, UNDO, CONNECT, RESYNC and
  /// PANIC.
  mutating func status(_ frame: Frame, replyPort: Int) {
    if size == .tablet {
      var rest = frame.inset(8)
      preset(rest.cutLeft(244, gap: 10))
      focus(rest.cutLeft(8 * 45, gap: 10))
      commands(rest.cutRight(430, gap: 10), replyPort)
      health(rest)
    } else {
      var rest = frame.inset(4)
      var top = rest.cutTop(Size.finger, gap: 4)
      commands(top.cutRight(244, gap: 6), replyPort)
      preset(top)
      focus(rest.cutTop(Size.finger, gap: 4))
      health(rest)
    }
  }

  private mutating func preset(_ frame: Frame) {
    background("preset", frame)
    var inside = frame.inset(8)
    let lamp = inside.cutRight(14)
    self.lamp(
      "/preset/edited", Frame(lamp.x, lamp.y + (lamp.h - 14) / 2, 14, 14), .amber, .int, shape: .triangle)
    readout("/preset/name", inside, characters: 16, largest: size == .tablet ? 22 : 16, align: 1)
  }

  private mutating func focus(_ frame: Frame) {
    radio("/focus", (1...Limits.parts).map { "\($0)" }, frame, .silver, first: 1, largest: 18)
  }

  private mutating func health(_ frame: Frame) {
    background("health", frame)
    let columns = frame.inset(size == .tablet ? 4 : 1).columns(4, gap: 2)
    for (column, (address, words, characters)) in zip(
      columns, [("/status/load", "LOAD", 6), ("/status/voices", "VOICES", 5), ("/status/xruns", "XRUNS", 5)])
    {
      var cell = column
      caption(words, cell.cutTop(cell.h * 2 / 5), .grey, largest: size.text - 3)
      readout(address + "/text", cell, characters: characters, largest: size == .tablet ? 18 : 14)
    }
    var midi = columns[3]
    caption("MIDI", midi.cutTop(midi.h * 2 / 5), .grey, largest: size.text - 3)
    lamp(
      "/status/keys", Frame(midi.x + midi.w / 2 - 7, midi.y + midi.h / 2 - 7, 14, 14), .green, .int,
      shape: .circle)
  }

  private mutating func commands(_ frame: Frame, _ replyPort: Int) {
    var rest = frame
    // On a phone it is on the page PLAY.
    if size == .tablet { learning(rest.cutLeft(frame.w / 5 - 2, gap: size.gap - 2)) }
    trigger("/preset/undo", "UNDO", rest.cutLeft(rest.w / 4 - 2, gap: size.gap - 2), Color.violet.dimmed(0.8))
    let columns = rest.columns(3, gap: size.gap - 2)
    button(
      "/subscribe", "CONNECT", columns[0], Color.green.dimmed(0.75),
      [.send("/subscribe", [.constant("\(replyPort)", .int)], on: ["x"], .rise)])
    trigger("/sync", "RESYNC", columns[1], Color.silver.dimmed(0.6))
    // Sent three times, like the end of a note: packets get lost, and this message is the most important one.
    button(
      "/panic", "PANIC", columns[2], .red,
      [.send("/panic", [.constant("1", .int)], on: ["x"], .rise)]
        + Panel.repeated("/panic", [.constant("1", .int)], "x"))
  }

  /// LEARN, with the next step as text, and a lamp while it is active.
  mutating func learning(_ frame: Frame) {
    trigger("/learn", "", frame, Color.violet.dimmed(0.7))
    var inside = frame.inset(4)
    lamp("/learn/state", inside.cutTop(5), .amber, .int)
    readout("/learn/text", inside.cutBottom(inside.h / 2), characters: 16, largest: size.text)
    caption("LEARN", inside, .white, largest: size.text)
  }
}
