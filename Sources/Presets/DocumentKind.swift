import Synth

/// The kinds of documents that pipit keeps, and how each of them is kept. To add a kind, add a case and its rule here:
/// the table on disk and everything between needs no change.
///
/// The raw value is the kind's name on disk: it is never changed.
public enum DocumentKind: String, CaseIterable, Sendable {
  /// The player's presets: `PresetText` under the key of a slot.
  case preset
  /// The presets that pipit comes with, for the time when their folder is missing.
  case factory
  /// The state of the whole instrument, restored at the next start: the text of `Session`.
  case session
  /// The clients that were sent feedback, greeted at the next start; `Surface` writes and reads the text.
  case clients
  /// The sound cards that were met, their levels and what was chosen; `ALSA` writes and reads the text.
  case cards
  /// The keyboards that were met, what was set for them and what their controllers are bound to; `MIDI` writes and reads
  /// the text.
  case devices

  /// How a kind is kept.
  struct Rule {
    /// Earlier versions kept of each document, for undo.
    var earlierVersions = 0
    /// Seconds that changes are gathered before they are written, since each write wears a memory card: the first
    /// where the disk is quick. A slow one is given longer, up to the second, so that it is not written to all the time.
    var gatherSeconds = 0.0...0.0
    /// The longest text, in bytes.
    var textBytes = Limits.textBytes
    /// What the player is told of the writing.
    var reports = Reports.failures
    /// A free place for a document, given which are taken: for kinds of which each lies where it was first put, so that
    /// one may have to make way for another that was there before. Nil where the newest takes the place.
    var freeKey: (@Sendable (_ isTaken: (String) -> Bool) -> String?)?
  }

  /// What the player is told of the writing.
  enum Reports {
    /// When it is on the disk, and when it cannot be: for what the player saves by hand.
    case savesAndFailures
    /// Only when it cannot be written.
    case failures
    /// Nothing, since no sound depends on it. It has a transaction of its own, so that it never delays the rest.
    case nothing
  }

  var rule: Rule {
    switch self {
    case .preset:
      Rule(earlierVersions: 4, reports: .savesAndFailures) { isTaken in
        Slot.own.first { !isTaken($0.key) }?.key
      }
    case .factory: Rule()
    // Up to a line for each knob of each part.
    case .session: Rule(gatherSeconds: 1...5, textBytes: 262_144)
    case .clients: Rule(reports: .nothing)
    // A hand that moves the card's volume makes many.
    case .cards: Rule(gatherSeconds: 1...5, reports: .nothing)
    case .devices: Rule(gatherSeconds: 1...5, textBytes: 262_144)
    }
  }
}
