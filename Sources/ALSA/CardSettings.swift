/// The settings of a card that the player may change while it plays.
public struct CardSettings: Sendable, Equatable {
  /// The requested rate in Hz. The card may require another.
  public var rate: Int
  /// The requested period in frames. The card may require another.
  public var period: Int
  /// The card that is preferred when it is connected.
  public var preference: CardPreference?
}

/// Changed settings that have not been confirmed. They are kept after sound has run with them for two seconds, and
/// undone after ten seconds without that. Plain arithmetic: the caller passes the time and the number of rendered
/// frames.
struct CardTrial {
  enum Verdict { case open, confirmed, undone }

  /// The settings to return to.
  let before: CardSettings
  /// The changed setting, as the beginning of a sentence, such as "96000 Hz".
  let what: String
  private let end: Int64
  // When the card began to play without a break, and the frames rendered by then.
  private var since: Int64?
  private var frames: UInt64 = 0

  /// How long a trial lasts, and how long sound must run to confirm it, nanoseconds.
  static let limit: Int64 = 10_000_000_000
  static let proof: Int64 = 2_000_000_000

  init(before: CardSettings, _ what: String, at now: Int64) {
    (self.before, self.what, end) = (before, what, now + Self.limit)
  }

  /// The state of the trial. `isPlaying` tells whether the requested card plays, and `frames` counts the frames
  /// rendered since the start.
  mutating func verdict(at now: Int64, isPlaying: Bool, frames: UInt64, rate: Int) -> Verdict {
    guard isPlaying else {
      since = nil
      return now >= end ? .undone : .open
    }
    guard let since else {
      (self.since, self.frames) = (now, frames)
      return now >= end ? .undone : .open
    }
    // Frames must advance at half the rate or faster, to rule out a card that accepts a block only now and then.
    let due = Double(now - since) * 1e-9 * Double(rate) / 2
    if now - since >= Self.proof, Double(frames - self.frames) >= due { return .confirmed }
    return now >= end ? .undone : .open
  }
}
