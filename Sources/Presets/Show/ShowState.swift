import Parameters
import Scenes
import Storage

/// The player's position in the show, which the next start restores.
public struct ShowState: Sendable, Equatable {
  /// The slot of the setup; nil without one.
  public var setup: Slot?
  /// The key of the setlist; empty without one.
  public var setlist = ""
  /// The entry of the setlist that was played last, from 0; nil before the first.
  public var position: Int?
  /// The chosen next entry, from 0; nil to play the following one.
  public var cue: Int?
  /// Whether the first entry follows the last.
  public var wraps = false
  /// Whether a recall waits until all keys are released.
  public var defers = false
  /// The transposition of the entry, semitones.
  public var transpose = 0
  /// The tempo of the entry; nil without one.
  public var tempo: Float?

  /// Nothing.
  public init() {}

  /// The first words of its lines in a session.
  static let words: Set<Substring> = [
    "setup", "setlist", "set-place", "set-cue", "set-wrap", "set-defer", "set-transpose", "set-tempo",
  ]

  /// The lines in a session, each with its newline.
  var lines: String {
    var lines = ""
    if let setup { lines += "setup \(setup.bank) \(setup.program)\n" }
    if !setlist.isEmpty { lines += "setlist \(setlist)\n" }
    if let position { lines += "set-place \(position + 1)\n" }
    if let cue { lines += "set-cue \(cue + 1)\n" }
    if wraps { lines += "set-wrap on\n" }
    if defers { lines += "set-defer on\n" }
    if transpose != 0 { lines += "set-transpose \(transpose)\n" }
    if let tempo { lines += "set-tempo \(SetlistText.number(tempo))\n" }
    return lines
  }

  /// Reads the rest of a line. Returns the expected input if it is invalid.
  mutating func take(_ word: Substring, _ rest: Substring) -> String? {
    let entry = Int(rest).flatMap { (1...Limits.setlistEntries).contains($0) ? $0 - 1 : nil }
    switch word {
    case "setup":
      let numbers = rest.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2, let slot = Slot(bank: numbers[0], program: numbers[1]) else {
        return "expected a bank and a program"
      }
      setup = slot
    case "setlist":
      guard let number = Int(rest), (1...Limits.setlists).contains(number) else { return "expected a number" }
      setlist = "\(number)"
    case "set-place", "set-cue":
      guard let entry else { return "expected a number from 1 to \(Limits.setlistEntries)" }
      if word == "set-place" { position = entry } else { cue = entry }
    case "set-transpose":
      guard let number = Int(rest), (-12...12).contains(number) else { return "expected -12 to 12" }
      transpose = number
    case "set-tempo":
      guard let number = SetlistText.tempo(rest) else { return "expected a tempo" }
      tempo = number
    default:
      guard rest == "on" || rest == "off" else { return "expected on or off" }
      if word == "set-wrap" { wraps = rest == "on" } else { defers = rest == "on" }
    }
    return nil
  }
}
