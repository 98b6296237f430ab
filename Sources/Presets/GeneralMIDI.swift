import Glibc
import Synth

/// What the numbers of programs mean.
public enum ProgramOrder: String, Sendable {
  /// pipit's own banks.
  case pipit
  /// General MIDI's programs, and drums on channel 10.
  case gm
}

/// A program of the bank `gm`, as it is listed.
public struct GeneralMIDIEntry: Sendable, Equatable {
  /// 0…127; nil for the drums.
  public let program: Int?
  /// What General MIDI calls it; empty where the table does not say.
  public let standard: String
  /// The preset of the factory's that plays it.
  public let preset: String
  /// Octaves that this is moved by.
  public let octaves: Int
}

extension Library {
  // As General MIDI 2 has them; devices of before have their drums in a third.
  private static let (melodies, rhythms, olderRhythms) = (121, 120, 127)

  /// The preset of a program 0…127 of the bank `gm`; nil without one.
  public func generalMIDI(_ program: Int) -> Preset? {
    guard let programs = programTable?.programs, programs.indices.contains(program) else { return nil }
    return programs[program].flatMap { factory($0) }
  }

  /// What channel 10 plays where programs are General MIDI's.
  public var drums: Preset? { programTable?.drums.flatMap { factory($0) } }

  /// True when there is a bank `gm`.
  public var hasGeneralMIDI: Bool { programTable != nil }

  /// The bank `gm` as a list: its programs in order, then its drums. Nil without one.
  public var generalMIDIEntries: [GeneralMIDIEntry]? {
    guard let table = programTable else { return nil }
    let entries =
      table.programs.enumerated().map { (Int?.some($0.offset), $0.element) } + [(nil, table.drums)]
    return entries.compactMap { program, entry in
      entry.map {
        GeneralMIDIEntry(program: program, standard: $0.standard, preset: $0.name, octaves: $0.octaves)
      }
    }
  }

  /// The preset that a program change means.
  ///
  /// Bank 121 · 128 and what follows it is the bank `gm`, 120 · 128 its drums, in either order. Where the order is
  /// General MIDI's, so are all other banks, but for those of the player's own that hold the program.
  /// - Parameters:
  ///   - bank: Controller 0 times 128 and controller 32.
  ///   - program: 0…127.
  ///   - channel: 0…15.
  public func preset(bank: Int, program: Int, channel: Int, order: ProgramOrder) -> Preset? {
    if bank >> 7 == Self.melodies { return generalMIDI(program) }
    if bank >> 7 == Self.rhythms { return drums }
    let own = Slot(bank: bank, program: program).flatMap { self[$0] }
    if order == .pipit || !hasGeneralMIDI || bank > 0 && own != nil { return own }
    return channel == Limits.drumChannel || bank >> 7 == Self.olderRhythms ? drums : generalMIDI(program)
  }

  /// What the 128 keys of channel 10 are on that preset.
  public var kit: [Drum] { Drum.plain.map { programTable?.keys[$0.key] ?? $0 } }

  private func factory(_ entry: ProgramTable.Entry) -> Preset? {
    let name = entry.name.lowercased()
    let found = factory.values.first { $0.name.lowercased() == name }
    guard var preset = found ?? outside.first(where: { $0.name.lowercased() == name }) else { return nil }
    preset.octaves = entry.octaves
    return preset
  }
}

extension Patch {
  /// The same sound so many octaves above its keys: as if it were played there.
  mutating func move(octaves: Int) {
    let octaves = Float(octaves)
    oscillator1.octave = max(-3, min(oscillator1.octave + octaves, 3))
    oscillator2.octave = max(-3, min(oscillator2.octave + octaves, 3))
    // The filter follows as it follows the keys.
    filter.cutoff = max(20, min(filter.cutoff * exp2(octaves * filter.track), 20_000))
  }
}
