import Control
import Parameters
import Storage

// Random sounds: by an amount, near the present one or far from it, with locks for sections.

extension Node {
  static let random: [Node] = drawing + locks

  // swift-format-ignore
  private static let drawing: [Node] = [
    .setting("/random/amount", .instrument, .float(0...1), "How far random sounds move.", read: { instrument, _, _ in .float(instrument.random.amount) }, write: { $0.instrument.random.move(by: Float(try $0.number(in: 0...1, else: "takes a number, 0…1"))) }),
    .trigger("/preset/random/near", .part, "Draws a sound near the present one. Loudness, bend range, play mode, tuning, arpeggiator and freeze stay; undo brings the sound back.") { try $0.instrument.random.drawNear(nil, part: $0.part, now: $0.now) },
    .trigger("/preset/random/far", .part, "Draws a sound knob by knob between two presets of the same category.") { try $0.instrument.random.drawFar(nil, part: $0.part, now: $0.now) },
    .command("/section/random/near", .part, [.string("a section")], "Draws a section near the present one.") { try $0.instrument.random.drawNear(try $0.section(), part: $0.part, now: $0.now) },
    .command("/section/random/far", .part, [.string("a section")], "Draws a section knob by knob between two presets of the same category.") { try $0.instrument.random.drawFar(try $0.section(), part: $0.part, now: $0.now) },
  ]

  private static let locks: [Node] = RandomSounds.sections.map { section in
    .setting(
      "/random/lock/\(section.name)", .instrument, .int(0...1),
      "1 if random sounds keep the section \(section.name).",
      read: { instrument, _, _ in .int(instrument.random.isLocked(section) ? 1 : 0) },
      write: {
        let isOn = try $0.number(in: 0...1, else: "takes 0 or 1") >= 0.5
        $0.instrument.random.lock(section, isOn)
      })
  }
}
