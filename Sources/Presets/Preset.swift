import Parameters
import Scenes
import Storage

/// The slot of a preset: a bank and a program, as selected by MIDI.
public struct Slot: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of banks.
  public static let banks = 128
  /// The bank of the factory presets that play arpeggios, sequences and chords. It is the last bank, because a user
  /// preset hides the factory preset of its slot, and user presets fill the banks from bank 1.
  public static let arpBank = banks - 1
  /// The bank that continues the factory's first: its presets have the numbers from 129 on.
  public static let furtherBank = arpBank - 1
  /// The number of programs in a bank.
  public static let programs = 128

  /// The bank, 0…127.
  public let bank: Int
  /// The program, 0…127.
  public let program: Int

  /// A slot; nil if a number is out of range.
  public init?(bank: Int, program: Int) {
    guard (0..<Slot.banks).contains(bank), (0..<Slot.programs).contains(program) else { return nil }
    self.bank = bank
    self.program = program
  }

  /// The slot of a factory preset by its number, 1…128 in bank 0 and 129…256 in `furtherBank`; nil for other numbers.
  init?(factoryNumber number: Int) {
    guard (1...2 * Slot.programs).contains(number) else { return nil }
    self.init(bank: number > Slot.programs ? Slot.furtherBank : 0, program: (number - 1) % Slot.programs)
  }

  /// Whether its bank is the factory's: bank 0, `furtherBank` or `arpBank`. The others are for user presets.
  public var isFactory: Bool { bank == 0 || bank >= Slot.furtherBank }

  /// Its number in its bank as users count: from 1, and from 129 in `furtherBank`.
  public var shownNumber: Int { program + 1 + (bank == Slot.furtherBank ? Slot.programs : 0) }

  /// The first slot of its page.
  public var page: Slot { Slot(page: self) }

  private init(page slot: Slot) {
    (bank, program) = (slot.bank, slot.program - slot.program % Limits.presetsPerPage)
  }

  /// The key of its document, as `1/5`.
  public var key: String { "\(bank)/\(program)" }

  /// The numbers of the slots of the user banks.
  static let userNumbers = programs..<furtherBank * programs

  /// Its number among all slots in ascending order, from 0.
  public var number: Int { bank * Slot.programs + program }

  /// The slot with a number among all slots, from 0; nil if there is no such slot.
  public init?(number: Int) { self.init(bank: number / Slot.programs, program: number % Slot.programs) }

  /// The slot of a document's key; nil for an invalid key.
  public init?(key: String) {
    guard let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")), let bank = Int(key[..<slash]),
      let program = Int(key[key.utf8.index(after: slash)...]), let slot = Slot(bank: bank, program: program),
      slot.key == key
    else { return nil }
    self = slot
  }

  /// Compares banks, then programs.
  public static func < (one: Slot, other: Slot) -> Bool {
    (one.bank, one.program) < (other.bank, other.program)
  }

  /// The name for users, counted from 1: `Factory 5`, `Factory 130`, `Arps 2`, `Own 12`, `Bank 3 7`.
  public var label: String { "\(bankName) \(shownNumber)" }

  /// The name of its bank for users.
  public var bankName: String {
    switch bank {
    case 0, Slot.furtherBank: "Factory"
    case 1: "Own"
    case Slot.arpBank: "Arps"
    default: "Bank \(bank)"
    }
  }

  /// `bank 0 program 5`, both counted from 0 as in MIDI.
  public var description: String { "bank \(bank) program \(program)" }
}

/// A preset of the library: a sound with a name.
public struct Preset: Sendable, Equatable {
  /// The slot; nil for a factory preset outside the banks, found by its name only.
  public let slot: Slot?
  /// The name: 1…64 bytes, no control characters.
  public let name: String
  /// The sound as `PresetText`, parsed when it is recalled.
  public let text: String
  /// Whether it is a factory preset.
  public let isFactory: Bool
  /// How the bank `gm` changes its sound; nil outside that bank.
  var program: ProgramTable.Entry?
}

extension Preset {
  /// Reads the sound. Unknown lines are ignored, with a warning; throws for a text that cannot be read at all.
  /// - Parameter names: Learns the names that the text holds.
  package func read(
    _ names: NameRegister
  ) throws(TextRefusal) -> (sound: PartSound, warnings: [TextWarning]) {
    let reading = try PresetText.read(text, names: names)
    var sound = PartSound(patch: reading.patch, snapshots: reading.snapshots)
    if let program {
      sound.patch.follow(program)
      sound.snapshots.change { $0.patch.follow(program) }
    }
    return (sound, reading.warnings)
  }
}
