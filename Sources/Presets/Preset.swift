import Synth

/// Where a preset lies: what a MIDI bank select and program change name.
public struct Slot: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Banks of presets; 0 is the factory's, 1 the first of the player's own.
  public static let banks = 128
  /// Programs in a bank.
  public static let programs = 128

  /// 0…127.
  public let bank: Int
  /// 0…127.
  public let program: Int

  /// A slot; nil outside the banks and programs that there are.
  public init?(bank: Int, program: Int) {
    guard (0..<Slot.banks).contains(bank), (0..<Slot.programs).contains(program) else { return nil }
    self.bank = bank
    self.program = program
  }

  /// The first slot of the page of buttons that this one is on.
  public var page: Slot { Slot(page: self) }

  private init(page slot: Slot) {
    (bank, program) = (slot.bank, slot.program - slot.program % Limits.presetsPerPage)
  }

  /// Where the preset lies among the documents, as `1/5`.
  public var key: String { "\(bank)/\(program)" }

  /// The slots of the player's banks, ascending.
  static var own: some Sequence<Slot> {
    (programs..<banks * programs).lazy.compactMap { Slot(bank: $0 / programs, program: $0 % programs) }
  }

  /// The slot of a document's key; nil when it is none.
  init?(key: String) {
    let numbers = key.utf8.split(separator: UInt8(ascii: "/")).compactMap { Int(Substring($0)) }
    guard numbers.count == 2, let slot = Slot(bank: numbers[0], program: numbers[1]), slot.key == key else {
      return nil
    }
    self = slot
  }

  /// By bank, then by program.
  public static func < (one: Slot, other: Slot) -> Bool {
    (one.bank, one.program) < (other.bank, other.program)
  }

  /// What people call it, who count from 1: `Factory 5`, `Own 12`, `Bank 3 7`.
  public var place: String { "\(bankName) \(program + 1)" }

  /// What people call its bank.
  public var bankName: String { bank == 0 ? "Factory" : bank == 1 ? "Own" : "Bank \(bank)" }

  /// `bank 0 program 5`, as numbered on the wire: both from 0.
  public var description: String { "bank \(bank) program \(program)" }
}

/// A sound with a name, as it lies in the library.
public struct Preset: Sendable, Equatable {
  /// Where it lies; nil for a factory preset outside the banks, found by its name only.
  public let slot: Slot?
  /// 1…64 bytes, no control characters.
  public let name: String
  /// The sound as `PresetText`; parsed when it is recalled.
  public let text: String
  /// True for the factory's, false for the player's own.
  public let isFactory: Bool
  /// Octaves that its sound is moved by, as a program of the bank `gm` has it.
  var octaves = 0
}
