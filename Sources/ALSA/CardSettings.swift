/// How a card is to be played on, as far as the player may change it while it plays.
public struct CardSettings: Sendable, Equatable {
  /// Hz, and frames of a block: wishes, of which the card has the last word.
  public var rate: Int
  public var period: Int
  /// The card that goes before the others.
  public var preference: CardPreference?
}

/// Settings that were changed and have not been heard yet: they are kept once sound has run with them for two seconds, and
/// undone after ten. Plain arithmetic; the time and what has been rendered come from outside.
struct CardTrial {
  enum Verdict { case open, confirmed, undone }

  /// What it goes back to.
  let before: CardSettings
  /// A sentence's beginning about what was asked, as "96000 Hz".
  let what: String
  private let end: Int64
  // Since when the card plays without a break, and the frames that were rendered by then.
  private var since: Int64?
  private var frames: UInt64 = 0

  /// For so long there may be no sound, and for so long there has to be some, nanoseconds.
  static let limit: Int64 = 10_000_000_000
  static let proof: Int64 = 2_000_000_000

  init(before: CardSettings, _ what: String, at now: Int64) {
    (self.before, self.what, end) = (before, what, now + Self.limit)
  }

  /// What has become of it: whether the card plays that was asked for, and the frames rendered since the start.
  mutating func verdict(at now: Int64, isPlaying: Bool, frames: UInt64, rate: Int) -> Verdict {
    guard isPlaying else {
      since = nil
      return now >= end ? .undone : .open
    }
    guard let since else {
      (self.since, self.frames) = (now, frames)
      return now >= end ? .undone : .open
    }
    // Frames run, and no slower than at half the rate: not a card that takes a block now and then.
    let due = Double(now - since) * 1e-9 * Double(rate) / 2
    if now - since >= Self.proof, Double(frames - self.frames) >= due { return .confirmed }
    return now >= end ? .undone : .open
  }
}
