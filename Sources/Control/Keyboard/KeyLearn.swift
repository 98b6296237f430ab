import Parameters
import Synth

/// A range or a split that the next keys set. A range needs two keys, in either order.
struct KeyLearn {
  /// The setting that the keys change.
  enum Purpose: Equatable {
    /// The key range of a part.
    case keys(part: Int)
    /// The velocity range of a part.
    case velocities(part: Int)
    /// The lowest key of part 2; part 1 plays the keys below it.
    case split
  }

  let purpose: Purpose
  /// The first key or velocity of a range, after it was struck.
  var first: Int?
  /// When learning times out, CLOCK_MONOTONIC.
  var end: Int64

  /// How long learning waits for a key, nanoseconds. The wait starts again for the second key of a range.
  static let timeout: Int64 = 10_000_000_000
}

extension KeyRanges {
  /// Lets the next two keys set the key range of a part. A second call cancels that.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func learnKeys(part: Int, now: Int64) { learn(.keys(part: part), now) }

  /// Lets the next two strokes, the softest and the hardest, set the velocity range of a part. A second call cancels
  /// that.
  public func learnVelocities(part: Int, now: Int64) { learn(.velocities(part: part), now) }

  /// Lets the next key split the keyboard between parts 1 and 2. A second call cancels that.
  public func learnSplit(now: Int64) { learn(.split, now) }

  /// Whether the next keys set the key range of a part.
  public func isLearningKeys(part: Int) -> Bool { keyLearn?.purpose == .keys(part: part) }
  /// Whether the next strokes set the velocity range of a part.
  public func isLearningVelocities(part: Int) -> Bool { keyLearn?.purpose == .velocities(part: part) }
  /// Whether the next key splits the keyboard.
  public var isLearningSplit: Bool { keyLearn?.purpose == .split }

  private func learn(_ purpose: KeyLearn.Purpose, _ now: Int64) {
    if writer.isDuplicate("learn \(purpose)", now) { return }
    if keyLearn?.purpose == purpose { return endKeyLearn() }
    change(KeyLearn(purpose: purpose, end: now + KeyLearn.timeout))
    let question =
      switch purpose {
      case .keys(let part): "Part \(part + 1): strike its lowest and its highest key"
      case .velocities(let part): "Part \(part + 1): strike a key as softly and as hard as it plays"
      case .split: "Strike the lowest key of part 2"
      }
    notices.post(question, about: .keyboard, .state, log: "")
  }

  /// Handles a key that was struck on a keyboard or a surface, if one is to be learned.
  func keyStruck(_ key: Int, velocity: Float) {
    guard var learn = keyLearn else { return }
    let stroke = max(1, min(Int((max(0, min(velocity, 1)) * 127).rounded()), 127))
    let value =
      switch learn.purpose {
      case .keys, .split: key
      case .velocities: stroke
      }
    if learn.purpose == .split {
      change(nil)
      return split(at: value)
    }
    guard let first = learn.first else {
      learn.first = value
      learn.end += KeyLearn.timeout
      change(learn)
      return notices.post(
        "\(name(learn.purpose, value)) it is; and the other end?", about: .keyboard, .state, log: "")
    }
    change(nil)
    let range = min(first, value)...max(first, value)
    switch learn.purpose {
    case .keys(let part):
      setKeys(range, part: part)
      notices.post(
        "Part \(part + 1) plays \(keyName(range.lowerBound)) to \(keyName(range.upperBound))",
        about: .keyboard, log: "")
    case .velocities(let part):
      setVelocities(range, part: part)
      notices.post(
        "Part \(part + 1) plays velocities \(range.lowerBound) to \(range.upperBound)", about: .keyboard,
        log: "")
    case .split: break
    }
  }

  private func name(_ purpose: KeyLearn.Purpose, _ value: Int) -> String {
    switch purpose {
    case .keys, .split: keyName(value)
    case .velocities: "\(value)"
    }
  }

  /// Cancels learning without setting anything.
  func endKeyLearn() {
    if keyLearn == nil { return }
    change(nil)
    notices.clear(about: .keyboard)
  }

  private func change(_ learn: KeyLearn?) {
    keyLearn = learn
    writer.link.keyWatch.isOn = learn != nil
    writer.changed(.keyboard)
  }
}
