import Synth

/// Where a preset lies: what a MIDI bank select and program change name.
public struct Slot: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 0 is the factory's bank, 1 the first of the player's own.
  public let bank: Int
  /// 0…127.
  public let program: Int

  /// A slot; nil outside `Limits.banks` and `Limits.programs`.
  public init?(bank: Int, program: Int) {
    guard (0..<Limits.banks).contains(bank), (0..<Limits.programs).contains(program) else { return nil }
    self.bank = bank
    self.program = program
  }

  /// The first slot of the page of buttons that this one is on.
  public var page: Slot { Slot(page: self) }

  private init(page slot: Slot) {
    (bank, program) = (slot.bank, slot.program - slot.program % Limits.presetsPerPage)
  }

  /// By bank, then by program.
  public static func < (one: Slot, other: Slot) -> Bool {
    (one.bank, one.program) < (other.bank, other.program)
  }

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

  /// A name as it is kept: without control characters, without blanks around it, cut to
  /// `Limits.nameBytes` at a character. Nil when nothing is left.
  public static func name(_ wish: String) -> String? {
    var name = ""
    for character in wish {
      let printable = character.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .lineSeparator
          && $0.properties.generalCategory != .paragraphSeparator
      }
      guard printable, !(name.isEmpty && character.isWhitespace) else { continue }
      if name.utf8.count + character.utf8.count > Limits.nameBytes { break }
      name.append(character)
    }
    while name.last?.isWhitespace == true { name.removeLast() }
    return name.isEmpty ? nil : name
  }
}
