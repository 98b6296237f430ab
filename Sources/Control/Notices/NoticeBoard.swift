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
