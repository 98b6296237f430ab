import Synth

/// What kinds of documents pipit keeps, and how each of them is kept. A new kind is a case and its rule here; the
/// table on disk and everything between takes it as it is.
///
/// The raw value is the kind's name on disk: it is never changed.
public enum DocumentKind: String, CaseIterable, Sendable {
  /// The player's presets: `PresetText` under the key of a slot.
  case preset
  /// The presets that pipit comes with, for the time when their folder is missing.
  case factory
  /// How the instrument was left: the text of `Session`.
  case session
  /// Who was shown the instrument. What it says is the surfaces' own affair.
  case clients

  /// How a kind is kept.
  struct Rule {
    /// Earlier versions kept of each document, for undo.
    var earlierVersions = 0
    /// Seconds that changes are gathered before they are written: what changes all the time wears a memory card out.
    var gatherSeconds = 0.0
    /// The longest text, in bytes.
    var textBytes = Limits.textBytes
    /// What the player is told of the writing.
    var reports = Reports.failures
  }

  /// What the player is told of the writing.
  enum Reports {
    /// When it is on the disk, and when it cannot be: for what the player saves by hand.
    case savesAndFailures
    /// Only when it cannot be written.
    case failures
    /// Nothing: no sound depends on it. It is written apart from the rest, so that it cannot hold that up.
    case nothing
  }

  var rule: Rule {
    switch self {
    case .preset: Rule(earlierVersions: 4, reports: .savesAndFailures)
    case .factory: Rule()
    // A line for each knob of each part that is not as it was made.
    case .session: Rule(gatherSeconds: 5, textBytes: 262_144)
    case .clients: Rule(reports: .nothing)
    }
  }
}
