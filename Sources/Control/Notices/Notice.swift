/// A sentence that the player should know and has not asked for.
public struct Notice: Sendable, Equatable {
  /// The cause of a notice. A newer notice replaces the older one about the same cause only.
  public enum Cause: Hashable, Sendable {
    /// Presets that the player saves.
    case saving
    /// The database file.
    case database
    /// A preset that cannot be recalled or found.
    case preset
    /// The sound card.
    case card
    /// The number of voices that this machine can play.
    case voices
    /// The OSC port.
    case port
    /// The recording.
    case recording
    /// A binding that was learned.
    case learning
    /// A song with errors.
    case song
    /// The configuration file.
    case configuration
    /// A tuning that cannot be read.
    case tuning
    /// Key learn, splits and layers.
    case keyboard
    /// Tunings of the last session that cannot be read any more.
    case lostTuning
  }

  /// The end of a notice.
  public enum Life: Hashable, Sendable {
    /// A problem, until `NoticeBoard.clear`; meanwhile `pipit status` is not well.
    case problem
    /// A state without a problem, until `NoticeBoard.clear`.
    case state
    /// Shown for some seconds, above the others.
    case moment(seconds: Int = 10)
  }

  /// The cause.
  public let cause: Cause
  /// The sentence, the reason first; at most `letters`.
  public let text: String
  /// Its end.
  public let life: Life

  /// The letters that the label on a phone has room for.
  public static let letters = 70

  init(_ text: String, _ cause: Cause, _ life: Life) {
    (self.cause, self.life) = (cause, life)
    self.text = text.count > Notice.letters ? text.prefix(Notice.letters - 1) + "…" : text
  }
}

/// The present notices, one about each cause. A value without a clock: the time of a notice begins at the first look.
struct Notices {
  private struct Entry {
    let notice: Notice
    /// When it ends; nil before the first look, and for a problem or state.
    var until: Int64?
  }
  // The newest last.
  private var entries: [Entry] = []

  /// The notice that surfaces show: the newest with a time, or else the newest problem, or else the newest of all.
  var shown: String {
    let passing = entries.last { if case .moment = $0.notice.life { true } else { false } }
    let entry = passing ?? entries.last { $0.notice.life == .problem } ?? entries.last
    return entry?.notice.text ?? ""
  }

  /// The problems, the newest first.
  var problems: [String] { entries.reversed().filter { $0.notice.life == .problem }.map(\.notice.text) }

  /// Replaces the notice about the same cause.
  mutating func put(_ notice: Notice) {
    clear(notice.cause)
    entries.append(Entry(notice: notice))
  }

  /// The notice about a cause; nil when there is none.
  subscript(cause: Notice.Cause) -> Notice? { entries.first { $0.notice.cause == cause }?.notice }

  /// Removes the notice about a cause.
  mutating func clear(_ cause: Notice.Cause) { entries.removeAll { $0.notice.cause == cause } }

  /// Removes notices whose time is over; returns when the next one ends.
  mutating func expire(_ now: Int64) -> Int64? {
    for index in entries.indices where entries[index].until == nil {
      if case .moment(let seconds) = entries[index].notice.life {
        entries[index].until = now + Int64(seconds) * 1_000_000_000
      }
    }
    entries.removeAll { $0.until.map { $0 <= now } ?? false }
    return entries.compactMap(\.until).min()
  }
}
