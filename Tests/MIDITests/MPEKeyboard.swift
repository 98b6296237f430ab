import EngineHarness
import Glibc
import MIDI
import Scenes

/// A keyboard of MPE that plays an engine through the decoder: channels are 1…16, as players count them.
final class MPEKeyboard {
  /// What is heard: one sine for each note, and a short release.
  static let sine: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/release", 0.005),
  ]

  let player: Player
  let decoder = MIDIDecoder()
  /// What the control thread is to do.
  private(set) var commands: [Event.Kind] = []
  private var parsers = [MIDIParser](repeating: MIDIParser(), count: Limits.sources)

  /// One that has a zone of so many members from the beginning, or none.
  init(_ knobs: [(String, Float)] = [], members: UInt8? = 15) {
    player = Player(.with(Self.sine + knobs))
    if let members { zone(members) }
  }

  func send(_ bytes: UInt8..., source: UInt8 = 0) {
    for byte in bytes {
      guard let message = parsers[Int(source)].parse(byte),
        let event = decoder.event(message, source: source, frame: 0)
      else { continue }
      if event.kind.isForControl { commands.append(event.kind) } else { player.link.midi.push(event) }
    }
  }

  func choose(_ setting: MPESetting) {
    for event in decoder.choose(setting, source: 0, frame: 0) { player.link.midi.push(event) }
  }

  func controller(_ number: UInt8, _ value: UInt8, on channel: UInt8) {
    send(0xB0 | (channel - 1), number, value)
  }

  /// The configuration message, and no parameter chosen afterwards.
  func zone(_ members: UInt8, manager: UInt8 = 1) {
    parameter(6, members, on: manager)
  }

  func parameter(_ number: UInt8, _ value: UInt8, on channel: UInt8) {
    for pair in [(101, 0), (100, number), (6, value), (101, 127), (100, 127)] as [(UInt8, UInt8)] {
      controller(pair.0, pair.1, on: channel)
    }
  }

  /// Bends by some semitones of a range.
  func bend(_ semitones: Double, on channel: UInt8, range: Double = 48, source: UInt8 = 0) {
    let value = max(0, min(Int((8192 + semitones / range * 8192).rounded()), 16_383))
    send(0xE0 | (channel - 1), UInt8(value & 127), UInt8(value >> 7), source: source)
  }

  func press(_ key: UInt8, on channel: UInt8, source: UInt8 = 0) {
    send(0x90 | (channel - 1), key, 100, source: source)
  }

  func lift(_ key: UInt8, on channel: UInt8, source: UInt8 = 0) {
    send(0x80 | (channel - 1), key, 64, source: source)
  }

  func pressure(_ value: UInt8, on channel: UInt8) { send(0xD0 | (channel - 1), value) }

  func heard() -> Double { player.heard() }

  func error(of chord: [Double]) -> Double { player.error(of: chord) }

  var voices: Int { player.voicesLater }
}
