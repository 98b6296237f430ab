import Glibc
import Scenes

/// The meaning of program numbers.
public enum ProgramOrder: String, Sendable {
  /// pipit's own banks.
  case pipit
  /// The programs of General MIDI, with drums on channel 10.
  case gm
}

/// A program in the list of the bank `gm`.
public struct GeneralMIDIEntry: Sendable, Equatable {
  /// The program, 0…127; nil for the drums.
  public let program: Int?
  /// Its name in General MIDI; empty if the table does not give it.
  public let standard: String
  /// The factory preset that plays it.
  public let preset: String
  /// The transposition of the preset, octaves.
  public let octaves: Int
}

extension Library {
  // The bank of the melodies of General MIDI 2.
  private static let melodies = 121
  // The keys that have drums in the standard set of General MIDI 2.
  private static let drumKeys: ClosedRange<UInt8> = 27...87

  /// The preset of a program, 0…127, of the bank `gm`; nil without one.
  public func generalMIDI(_ program: Int) -> Preset? {
    guard let programs = programTable?.programs, programs.indices.contains(program) else { return nil }
    return programs[program].flatMap { factory($0) }
  }

  /// The preset of channel 10 if programs are those of General MIDI.
  public var drums: Preset? { drums(0) }

  /// The preset of the drum kit that a program, 0…127, chooses on channel 10; the standard kit's for an unknown one.
  func drums(_ program: Int) -> Preset? {
    let kit = programTable?.kits.first { $0.program == program }?.entry
    return (kit ?? programTable?.drums).flatMap { factory($0) }
  }

  /// Whether there is a bank `gm`.
  public var hasGeneralMIDI: Bool { programTable != nil }

  /// The bank `gm` as a list: its programs in order, then its drums. Nil without the bank.
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

  /// The preset of a program change.
  ///
  /// In either order, a bank with 121 in controller 0 is the bank `gm`, and one with 120 its drums. In the order
  /// `gm`, all other banks are the bank `gm` as well, except for user banks that hold the program.
  /// - Parameters:
  ///   - bank: Controller 0 times 128 and controller 32.
  ///   - program: 0…127.
  ///   - channel: 0…15.
  public func preset(bank: Int, program: Int, channel: Int, order: ProgramOrder) -> Preset? {
    if bank >> 7 == Self.melodies { return generalMIDI(program) }
    if bank >> 7 == Limits.rhythmBank { return drums(program) }
    let slot = Slot(bank: bank, program: program)
    let preset = slot.flatMap { self[$0] }
    if order == .pipit || !hasGeneralMIDI { return preset }
    if bank > 0, let preset, !preset.isFactory { return preset }
    return channel == Limits.drumChannel || bank >> 7 == Limits.olderRhythmBank
      ? drums(program) : generalMIDI(program)
  }

  /// The drum kits of channel 10: the drum of each of its 128 keys, and the sounds of drums that have presets of their
  /// own, whose texts it reads. Keys without a drum in General MIDI 2 are silent, unless the table gives them one.
  public var kit: Kit {
    guard let table = programTable else { return Kit(Drum.plain) }
    let plain = Drum.plain.map { Self.drumKeys.contains($0.key) ? $0 : .silent }
    var standard = plain.with(table.keys)
    guard let base = drums.flatMap({ patch(of: $0) }) else { return Kit(standard) }
    let others = table.kits.compactMap { other in
      factory(other.entry).flatMap { patch(of: $0) }.map { (kit: other, patch: $0) }
    }
    var patches = [base] + others.map(\.patch)
    // A search for each drum would compare all names.
    let presets = Dictionary(
      (factory.values + outside).map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var indices: [ProgramTable.Entry: Int] = [:]
    func give(_ drums: inout [Drum], _ sounds: [UInt8: ProgramTable.Sound]) {
      for (key, drum) in sounds.sorted(by: { $0.key < $1.key }) {
        if indices[drum.entry] == nil {
          guard patches.count < Limits.kitSounds, let preset = presets[drum.entry.name.lowercased()],
            var patch = patch(of: preset.adjusted(drum.entry))
          else { continue }
          // A drum does not hear the end of its key.
          patch.amplifier.envelope.release = max(
            patch.amplifier.envelope.release, patch.amplifier.envelope.decay)
          indices[drum.entry] = patches.count
          patches.append(patch)
        }
        if drums[Int(key)].isSilent { drums[Int(key)] = Drum(key: key) }
        drums[Int(key)].sound = UInt8(indices[drum.entry] ?? 0)
        drums[Int(key)].soundKey = drum.key
      }
    }
    give(&standard, table.sounds)
    let tables = others.map { other, _ in
      var drums = standard.with(other.keys)
      give(&drums, other.sounds)
      return drums
    }
    return Kit(standard, others: tables, patches: patches)
  }

  private func factory(_ entry: ProgramTable.Entry) -> Preset? {
    let name = entry.name.lowercased()
    let found = factory.values.first { $0.name.lowercased() == name }
    return (found ?? outside.first { $0.name.lowercased() == name })?.adjusted(entry)
  }
}

extension [Drum] {
  /// The drums of all keys, with others for some of them, whose own sounds they keep.
  fileprivate func with(_ others: [UInt8: Drum]) -> [Drum] {
    var drums = self
    for (key, drum) in others {
      let before = drums[Int(key)]
      drums[Int(key)] = drum
      (drums[Int(key)].sound, drums[Int(key)].soundKey) = (before.sound, before.soundKey)
    }
    return drums
  }
}

extension Preset {
  /// The preset as it plays a program.
  fileprivate func adjusted(_ entry: ProgramTable.Entry) -> Preset {
    var preset = self
    preset.program = entry
    return preset
  }
}

extension Patch {
  /// Plays a program of General MIDI: with its octave, level, cutoff, attack and depth of velocity, and with a voice for
  /// each key without glides, as General MIDI has it until a message for mono (CC 126) or portamento comes.
  mutating func follow(_ program: ProgramTable.Entry) {
    move(octaves: program.octaves, decibels: program.decibels, tone: program.tone)
    amplifier.velocity = program.velocity
    amplifier.envelope.attack *= exp2(program.attack)
    filter.envelope.attack *= exp2(program.attack)
    (play.mode, play.glide) = (Float(PlayMode.poly.rawValue), 0)
  }

  /// Transposes the sound by octaves, as if its keys were played that much higher, and changes its level by
  /// `decibels` and its cutoff by `tone` octaves.
  mutating func move(octaves: Int, decibels: Float = 0, tone: Float = 0) {
    amplifier.level = max(-60, min(amplifier.level + decibels, 12))
    let octaves = Float(octaves)
    oscillator1.octave = max(-3, min(oscillator1.octave + octaves, 3))
    oscillator2.octave = max(-3, min(oscillator2.octave + octaves, 3))
    oscillator3.octave = max(-3, min(oscillator3.octave + octaves, 3))
    // The filter moves by its key tracking.
    filter.cutoff = max(20, min(filter.cutoff * exp2(octaves * filter.track + tone), 20_000))
  }
}
