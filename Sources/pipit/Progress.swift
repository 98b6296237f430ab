import Glibc

/// A progress bar on standard error; only on a terminal.
struct Progress {
  private let name: String
  private let total: Int64
  private let terminal = isatty(STDERR_FILENO) == 1
  private var due: Int64 = 0
  // The percentage on the screen; nil if there is no bar.
  private var shown: Int64?
  private static let width = 40

  /// Progress towards frame `total`.
  init(_ path: String, total: Int64) {
    name = path.split(separator: "/").last.map { String($0) } ?? path
    self.total = max(1, total)
  }

  /// True every 16,384 frames: time to update the bar and to check for signals.
  mutating func isDue(_ position: Int64) -> Bool {
    if position < due { return false }
    due = position + 16_384
    return true
  }

  /// Draws the bar.
  mutating func show(_ position: Int64) {
    let percent = min(position, total) * 100 / total
    guard terminal, percent != shown else { return }
    shown = percent
    let done = Int(percent) * Self.width / 100
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
    Console.progress("\r\(name) [\(bar)] \(percent) %")
  }

  /// Removes the bar.
  mutating func clear() {
    if shown != nil { Console.progress("\r\u{1B}[K") }
    shown = nil
  }
}
