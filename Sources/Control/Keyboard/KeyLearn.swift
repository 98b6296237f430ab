import Glibc
import Parameters
import Scenes

/// A range, a velocity curve, a split or a chord that the next keys set. A range needs two keys, in either order, and a
/// curve ten.
struct KeyLearn {
  /// The setting that the keys change.
  enum Purpose: Equatable {
    /// The key range of a part.
    case keys(part: Int)
    /// The velocity range of a part.
    case velocities(part: Int)
    /// The velocity curve of a part.
    case curve(part: Int)
    /// The lowest key of part 2; part 1 plays the keys below it.
    case split
    /// The chord of a part; the lowest key is its root.
    case chord(part: Int)
  }

  let purpose: Purpose
  /// The first key or velocity of a range, after it was struck.
  var first: Int?
  /// The velocities of the strokes for a curve, 1…127.
  var strokes: [Int] = []
  /// The keys of a chord that were struck.
  var keys: Set<Int> = []
  /// When learning times out, CLOCK_MONOTONIC.
  var end: Int64

  /// How long learning waits for a key, nanoseconds. The wait starts again for the second key of a range, and for each
  /// stroke of a curve.
  static let timeout: Int64 = 10_000_000_000
  /// The strokes of a curve.
  static let curveStrokes = 10

  /// The velocity curve, -1…1, by which the strokes, played as their hand plays, come to lie around velocity 80: the
  /// geometric mean v of them (of 127ths) is raised to the power of 2^(-1.5 curve) (`Note.shape`).
  var curve: Float {
    // The hardest stroke of all has no curve.
    let octaves = strokes.map { log2(min(Float($0), 126) / 127) }.reduce(0, +) / Float(max(strokes.count, 1))
    return max(-1, min(-log2(log2(Float(80) / 127) / octaves) / 1.5, 1))
  }
}

extension KeyRanges {
  /// Lets the next two keys set the key range of a part. A second call cancels that.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func learnKeys(part: Int, now: Int64) { learn(.keys(part: part), now) }

  /// Lets the next two strokes, the softest and the hardest, set the velocity range of a part. A second call cancels
  /// that.
  public func learnVelocities(part: Int, now: Int64) { learn(.velocities(part: part), now) }

  /// Lets the next ten strokes, soft and hard ones as its player plays, set the velocity curve of a part. A second call
  /// cancels that.
  public func learnCurve(part: Int, now: Int64) { learn(.curve(part: part), now) }

  /// Lets the next key split the keyboard between parts 1 and 2. A second call cancels that.
  public func learnSplit(now: Int64) { learn(.split, now) }

  /// Lets the keys that are struck next become the chord of a part, until a second call or for ten seconds.
  public func learnChord(part: Int, now: Int64) { learn(.chord(part: part), now) }

  /// Whether the next keys set the key range of a part.
  public func isLearningKeys(part: Int) -> Bool { keyLearn?.purpose == .keys(part: part) }
  /// Whether the next strokes set the velocity range of a part.
  public func isLearningVelocities(part: Int) -> Bool { keyLearn?.purpose == .velocities(part: part) }
  /// Whether the next strokes set the velocity curve of a part.
  public func isLearningCurve(part: Int) -> Bool { keyLearn?.purpose == .curve(part: part) }
  /// Whether the next keys become the chord of a part.
  public func isLearningChord(part: Int) -> Bool { keyLearn?.purpose == .chord(part: part) }
  /// Whether the next keys set something.
  var isLearning: Bool { keyLearn != nil }
  /// Whether the next key splits the keyboard.
  public var isLearningSplit: Bool { keyLearn?.purpose == .split }

  private func learn(_ purpose: KeyLearn.Purpose, _ now: Int64) {
    if writer.isDuplicate("learn \(purpose)", now) { return }
    if keyLearn?.purpose == purpose { return endKeyLearn() }
    endKeyLearn()
    change(KeyLearn(purpose: purpose, end: now + KeyLearn.timeout))
    let question =
      switch purpose {
      case .keys(let part): "Part \(part + 1): strike its lowest and its highest key"
      case .velocities(let part): "Part \(part + 1): strike a key as softly and as hard as it plays"
      case .curve(let part): "Part \(part + 1): strike ten keys, soft and hard, as you play"
      case .split: "Strike the lowest key of part 2"
      case .chord(let part): "Part \(part + 1): strike the keys of its chord, and press again"
      }
    notices.post(question, about: .keyboard, .state, log: "")
  }

  /// Handles a key that was struck on a keyboard or a surface, if one is to be learned.
  func keyStruck(_ key: Int, velocity: Float) {
    guard var learn = keyLearn else { return }
    let stroke = Int(clamping: (velocity * 127).rounded(), to: 1...127)
    let value =
      switch learn.purpose {
      case .keys, .split, .chord: key
      case .velocities, .curve: stroke
      }
    if case .chord = learn.purpose {
      learn.keys.insert(key)
      return change(learn)
    }
    if case .curve(let part) = learn.purpose { return curveStruck(value, part: part, &learn) }
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
    case .curve, .split, .chord: break
    }
  }

  /// Adds a stroke to those of a curve, which the last of them sets.
  private func curveStruck(_ velocity: Int, part: Int, _ learn: inout KeyLearn) {
    learn.strokes.append(velocity)
    learn.end += KeyLearn.timeout
    let missing = KeyLearn.curveStrokes - learn.strokes.count
    if missing > 0 {
      change(learn)
      let strokes = missing == 1 ? "1 more stroke" : "\(missing) more strokes"
      return notices.post(strokes, about: .keyboard, .state, log: "")
    }
    change(nil)
    set(KeyRanges.curve, learn.curve, part)
    let curve = Table.rows[KeyRanges.curve].kind.text(value: learn.curve)
    notices.post("The velocity curve of part \(part + 1) is \(curve)", about: .keyboard, log: "")
  }

  private func name(_ purpose: KeyLearn.Purpose, _ value: Int) -> String {
    switch purpose {
    case .keys, .split, .chord: keyName(value)
    case .velocities, .curve: "\(value)"
    }
  }

  /// Ends learning. A chord is set; a range or a split of which keys are missing is not.
  func endKeyLearn() {
    guard let learn = keyLearn else { return }
    change(nil)
    notices.clear(about: .keyboard)
    if case .chord(let part) = learn.purpose { setChord(learn.keys, part: part) }
  }

  /// A note of a chord in semitones above the root, moved by whole octaves into the range of the chord's knobs.
  private func interval(_ semitones: Int) -> Float {
    let most = Int(clamping: Table.rows[KeyRanges.chordNotes[0]].kind.range.upperBound)
    return Float(semitones <= most ? semitones : most - (12 - semitones % 12) % 12)
  }

  /// Sets the chord of a part to keys, and switches it on. One key is not a chord, and changes nothing.
  private func setChord(_ keys: Set<Int>, part: Int) {
    let keys = keys.sorted()
    guard keys.count > 1 else { return }
    for (index, row) in KeyRanges.chordNotes.enumerated() {
      set(row, index + 1 < keys.count ? interval(keys[index + 1] - keys[0]) : 0, part)
    }
    set(KeyRanges.chordOn, 1, part)
  }

  private func change(_ learn: KeyLearn?) {
    keyLearn = learn
    if learn != nil { writer.keyUses.insert(.learning) } else { writer.keyUses.remove(.learning) }
    writer.changed(.keyboard)
  }
}
