/// What the player should know and has not asked for.
public struct Notice: Sendable, Equatable {
  /// What it is about. A newer notice takes the place of the older about the same, and what mends the one thing
  /// clears no other.
  public enum Cause: Hashable, Sendable {
    /// What the player saved by hand.
    case saving
    /// The file that presets and the session lie in.
    case database
    /// A preset that was asked for and cannot be had.
    case preset
    /// The sound card.
    case card
    /// How many voices this machine can play.
    case voices
    /// The port that the surface listens on.
    case port
    /// What is recorded.
    case recording
    /// What was learned.
    case learning
    /// A song that is not as it should be.
    case song
    /// The configuration file.
    case configuration
    /// A tuning that was asked for and cannot be had.
    case tuning
    /// Keys that are waited for, and what they have set.
    case keyboard
    /// Tunings of the last session that cannot be had any more.
    case lostTuning
  }

  /// What ends it.
  public enum Life: Hashable, Sendable {
    /// Something is wrong until `Control.clearNotice`: meanwhile `pipit status` is not well.
    case problem
    /// Something is so until `Control.clearNotice`, and nothing is wrong.
    case state
    /// It is shown so many seconds, before what lasts.
    case moment(seconds: Int = 10)
  }

  /// What it is about.
  public let cause: Cause
  /// The sentence, the reason first; at most `letters`.
  public let text: String
  /// What ends it.
  public let life: Life

  /// As many letters as the label of a phone shows.
  public static let letters = 70

  init(_ text: String, _ cause: Cause, _ life: Life) {
    (self.cause, self.life) = (cause, life)
    self.text = text.count > Notice.letters ? text.prefix(Notice.letters - 1) + "…" : text
  }
}

/// The notices that there are, one about each cause. A value without a clock: a moment begins at the first look.
struct Notices {
  private struct Entry {
    let notice: Notice
    /// When it ends; nil before anybody has looked, and for what lasts.
    var until: Int64?
  }
  // The newest last.
  private var entries: [Entry] = []

  /// What a surface shows: the newest that passes, or else the newest problem, or else the newest of all.
  var shown: String {
    let passing = entries.last { if case .moment = $0.notice.life { true } else { false } }
    let entry = passing ?? entries.last { $0.notice.life == .problem } ?? entries.last
    return entry?.notice.text ?? ""
  }

  /// What is wrong, the newest first.
  var problems: [String] { entries.reversed().filter { $0.notice.life == .problem }.map(\.notice.text) }

  /// Puts a notice in the place of the one about the same.
  mutating func put(_ notice: Notice) {
    clear(notice.cause)
    entries.append(Entry(notice: notice))
  }

  /// The notice about a cause; nil when there is none.
  subscript(cause: Notice.Cause) -> Notice? { entries.first { $0.notice.cause == cause }?.notice }

  /// Takes away what was said about a cause.
  mutating func clear(_ cause: Notice.Cause) { entries.removeAll { $0.notice.cause == cause } }

  /// Takes away what has had its time; returns when the next has.
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
