import System

/// The notices that surfaces show, and the log lines about events. Control thread.
public final class NoticeBoard: Feature {
  private let writer: SceneWriter
  private var notices = Notices()
  private var logged = RateLimiter(burst: 20, perSecond: 1)
  /// Called with one line for the log.
  let log: (String) -> Void

  init(_ writer: SceneWriter, log: @escaping (String) -> Void) { (self.writer, self.log) = (writer, log) }

  /// The notice that surfaces show, a sentence; empty if there is none.
  public var shown: String { notices.shown?.text ?? "" }
  /// As much of it as fits on a tablet's label.
  public var label: String { notices.shown?.label ?? "" }

  /// The current problems, as sentences, the newest first.
  var problems: [String] { notices.problems }

  /// The notice with a cause; nil if there is none.
  subscript(cause: Notice.Cause) -> Notice? { notices[cause] }

  /// Posts a notice. It replaces the one about the same cause.
  /// - Parameters:
  ///   - text: With the reason first, since a label has only `Notice.letters`.
  ///   - line: The line for the log; `text` by default, and none if it is empty. Twenty lines at once are logged, and
  ///     one a second after that.
  public func post(
    _ text: String, about cause: Notice.Cause, _ life: Notice.Life = .moment(), log line: String? = nil
  ) {
    let notice = Notice(text, cause, life)
    let line = life == .problem ? .warning(line ?? text) : line ?? text
    if !LogLine(line).text.isEmpty, logged.take(monotonic()) { log(line) }
    if notices[cause] == notice, notice.life == .problem || notice.life == .state { return }
    change { $0.put(notice) }
  }

  /// Removes the notice about a cause.
  public func clear(about cause: Notice.Cause) { change { $0.clear(cause) } }

  /// Removes expired notices.
  func update(_ now: Int64) -> Int64? { change { $0.expire(now) } }

  private func change<Value>(_ body: (inout Notices) -> Value) -> Value {
    let before = shown
    let value = body(&notices)
    if shown != before { writer.changed(.notice) }
    return value
  }
}

/// A message for the player that was not requested, as one sentence.
public struct Notice: Sendable, Equatable {
  /// The cause of a notice. A newer notice replaces only the older one with the same cause.
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
    /// The port of the page.
    case webPort
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
    /// A wavetable that cannot be read.
    case wavetable
    /// Key learn, splits and layers.
    case keyboard
    /// The recording of a sequence.
    case steps
    /// The transport, which a device's clock leads.
    case clock
    /// A setup or a setlist.
    case show
    /// A pad whose press was refused, or a file of pads.
    case pads
    /// A backup that was restored.
    case backup
    /// Tunings of the last session that cannot be read any more.
    case lostTuning
  }

  /// How long a notice lasts.
  public enum Life: Hashable, Sendable {
    /// A problem, until `NoticeBoard.clear`. Until then, `pipit status` reports that something is wrong.
    case problem
    /// A state without a problem, until `NoticeBoard.clear`.
    case state
    /// Shown for some seconds, before all others.
    case moment(seconds: Int = 10)
  }

  /// The cause.
  public let cause: Cause
  /// The sentence, with the reason first; at most `longest` letters, and more in the log.
  public let text: String
  /// How long the notice lasts.
  public let life: Life

  /// The number of letters that fit on a phone's label.
  public static let letters = 70
  /// The most letters, which fit into a packet.
  private static let longest = 300

  /// As much of the sentence as fits on a label.
  var label: String { Notice.cut(text, Notice.letters) }

  init(_ text: String, _ cause: Cause, _ life: Life) {
    (self.text, self.cause, self.life) = (Notice.cut(text, Notice.longest), cause, life)
  }

  private static func cut(_ text: String, _ most: Int) -> String {
    text.count > most ? text.prefix(most - 1) + "…" : text
  }
}

/// The current notices, one for each cause. A value type; the time of a notice begins at the first `expire`.
struct Notices {
  private struct Entry {
    let notice: Notice
    /// When the notice ends; nil before the first `expire`, and for a problem or state.
    var until: Int64?
  }
  // The newest is last.
  private var entries: [Entry] = []

  /// The notice that surfaces show: the newest one with a time limit, or else the newest problem, or else the newest
  /// of all.
  var shown: Notice? {
    let passing = entries.last { if case .moment = $0.notice.life { true } else { false } }
    return (passing ?? entries.last { $0.notice.life == .problem } ?? entries.last)?.notice
  }

  /// The problems, the newest first.
  var problems: [String] { entries.reversed().filter { $0.notice.life == .problem }.map(\.notice.text) }

  /// Replaces the notice about the same cause.
  mutating func put(_ notice: Notice) {
    clear(notice.cause)
    entries.append(Entry(notice: notice))
  }

  /// The notice with a cause; nil if there is none.
  subscript(cause: Notice.Cause) -> Notice? { entries.first { $0.notice.cause == cause }?.notice }

  /// Removes the notice about a cause.
  mutating func clear(_ cause: Notice.Cause) { entries.removeAll { $0.notice.cause == cause } }

  /// Removes expired notices. Returns the time at which the next one expires.
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
