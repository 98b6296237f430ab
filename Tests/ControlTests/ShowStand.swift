import EngineHarness
import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Synth
import Tuning
@testable import Control

/// An instrument with a real engine and its documents in memory, at times that the test gives.
final class ShowStand {
  let player: Player
  let instrument: Instrument
  let library: Library
  /// CLOCK_MONOTONIC.
  var now: Int64 = 1_000_000_000

  init(_ library: Library = Library(database: nil, factory: nil, log: { _ in }), tunings: String? = nil) {
    self.library = library
    let link = Link(.initial)
    player = Player(link, running: false) { Engine(rate: 48_000, link: $0) }
    instrument = Instrument(
      link: link, library: library, tunings: TuningFolder(tunings), log: { _ in })
    run()
  }

  var setups: Setups { instrument.setups }
  var setlists: Setlists { instrument.setlists }
  var stage: Stage { instrument.stage }

  /// Lets the instrument publish, and renders a few blocks.
  func run(milliseconds: Int = 10) {
    _ = instrument.update(now)
    player.render(64, blocks: max(1, milliseconds * 48 / 64))
    now += Int64(milliseconds) * 1_000_000
  }

  /// The knob at an address.
  func knob(_ address: String) -> ParameterID {
    guard let found = Address(address[...], focus: 0)?.knob else { preconditionFailure("no knob \(address)") }
    return found
  }

  func set(_ address: String, _ value: Float) { instrument.set(knob(address), to: value) }

  subscript(address: String) -> Float { instrument.value(of: knob(address)) }

  func generation(_ part: Int) -> UInt32 {
    withUnsafePointer(to: instrument.stage.scene) { $0.part(part).pointee.generation }
  }

  var generations: [UInt32] { (0..<Limits.parts).map { generation($0) } }

  /// A program change on a channel 0…15 of a keyboard.
  func program(_ program: Int, bank: Int = 0, channel: UInt8, source: UInt8 = 0) {
    instrument.take(
      Event(
        frame: 0, kind: .program, source: source, target: channel, note: UInt8(program), value: Float(bank)))
  }

  /// Saves setups of these names, each with its own cutoff in part 1: 1000 Hz, 2000 Hz and so on.
  func save(_ names: String...) throws {
    for (index, name) in names.enumerated() {
      set("/part/1/filter/cutoff/hz", Float(index + 1) * 1_000)
      try setups.save(named: name)
      run()
    }
  }

  /// The cutoff of part 1, hertz.
  var cutoff: Float { instrument.stage.scene[0].patch.filter.cutoff.rounded() }

  /// A stand with setups A, B and C, and a setlist of them.
  static func withSetlist(_ library: Library = Library(database: nil, factory: nil, log: { _ in })) throws
    -> ShowStand
  {
    let stand = ShowStand(library)
    try stand.save("A", "B", "C")
    try stand.setlists.create("Friday")
    for name in ["A", "B", "C"] {
      try stand.setups.recall(named: name)
      try stand.setlists.add()
    }
    stand.run()
    return stand
  }

  /// A press of next or previous, after a pause.
  func press(forward: Bool = true) {
    now += 1_000_000_000
    setlists.step(forward: forward, now: now)
    run()
  }
}

extension Setups {
  /// The names of all setups, in the order of their numbers.
  var names: [String] { listing.entries.map(\.document.name) }
}
