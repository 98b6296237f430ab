import Parameters
import Synth

/// What the keys set that are struck next. Of a range two are waited for, its ends in either order.
struct AwaitedKeys {
  /// What they set.
  enum Purpose: Equatable {
    /// The keys that a part plays.
    case keys(part: Int)
    /// The velocities that it plays.
    case velocities(part: Int)
    /// The lowest key of part 2, and those of part 1 below it.
    case split
  }

  let purpose: Purpose
  /// The key or the velocity that was struck first.
  var first: Int?
  /// When it is given up, CLOCK_MONOTONIC.
  var end: Int64
}

extension Control {
  /// For so long a key is waited for, nanoseconds; for a second one as long again.
  static let keyPatience: Int64 = 10_000_000_000

  /// Has the next two keys set which keys a part plays, or no more if that is what is waited for.
  /// - Parameter now: CLOCK_MONOTONIC, for a packet that the network has doubled.
  public func learnKeys(part: Int, now: Int64) { wait(for: .keys(part: part), now) }

  /// The same of two strokes, the softest and the hardest.
  public func learnVelocities(part: Int, now: Int64) { wait(for: .velocities(part: part), now) }

  /// Has the next key split the keyboard between parts 1 and 2, or no more.
  public func learnSplit(now: Int64) { wait(for: .split, now) }

  /// Whether keys are waited for that set the keys of a part.
  public func isLearningKeys(part: Int) -> Bool { awaitedKeys?.purpose == .keys(part: part) }
  /// Whether strokes are waited for that set its velocities.
  public func isLearningVelocities(part: Int) -> Bool { awaitedKeys?.purpose == .velocities(part: part) }
  /// Whether the key of the split is waited for.
  public var isLearningSplit: Bool { awaitedKeys?.purpose == .split }

  private func wait(for purpose: AwaitedKeys.Purpose, _ now: Int64) {
    if isDoubled("learn \(purpose)", now) { return }
    if awaitedKeys?.purpose == purpose { return endAwaitedKeys() }
    change(AwaitedKeys(purpose: purpose, end: now + Control.keyPatience))
    let question =
      switch purpose {
      case .keys(let part): "Part \(part + 1): strike its lowest and its highest key"
      case .velocities(let part): "Part \(part + 1): strike a key as softly and as hard as it plays"
      case .split: "Strike the lowest key of part 2"
      }
    notify(question, about: .keyboard, .state, log: "")
  }

  /// A key was struck, on a keyboard or a surface.
  func struck(key: Int, velocity: Float) {
    guard var awaited = awaitedKeys else { return }
    let stroke = max(1, min(Int((max(0, min(velocity, 1)) * 127).rounded()), 127))
    let value =
      switch awaited.purpose {
      case .keys, .split: key
      case .velocities: stroke
      }
    if awaited.purpose == .split {
      change(nil)
      return split(at: value)
    }
    guard let first = awaited.first else {
      awaited.first = value
      awaited.end += Control.keyPatience
      change(awaited)
      return notify(
        "\(name(awaited.purpose, value)) it is; and the other end?", about: .keyboard, .state, log: "")
    }
    change(nil)
    let range = min(first, value)...max(first, value)
    switch awaited.purpose {
    case .keys(let part):
      setKeys(range, part: part)
      notify(
        "Part \(part + 1) plays \(keyName(range.lowerBound)) to \(keyName(range.upperBound))",
        about: .keyboard, log: "")
    case .velocities(let part):
      setVelocities(range, part: part)
      notify(
        "Part \(part + 1) plays velocities \(range.lowerBound) to \(range.upperBound)", about: .keyboard,
        log: "")
    case .split: break
    }
  }

  private func name(_ purpose: AwaitedKeys.Purpose, _ value: Int) -> String {
    switch purpose {
    case .keys, .split: keyName(value)
    case .velocities: "\(value)"
    }
  }

  /// Gives up what nobody has struck a key for in time.
  func endAwaitedKeys(at now: Int64) {
    if let end = awaitedKeys?.end, now >= end { endAwaitedKeys() }
  }

  /// Waits for no key any more.
  func endAwaitedKeys() {
    if awaitedKeys == nil { return }
    change(nil)
    clearNotice(about: .keyboard)
  }

  private func change(_ awaited: AwaitedKeys?) {
    self.awaitedKeys = awaited
    link.keyWatch.isOn = awaited != nil
    changed(.keyboard)
  }
}
