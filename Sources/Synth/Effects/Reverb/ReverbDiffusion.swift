import CRealtime

/// Gains of a reverb's all-passes. An all-pass rings by itself: the higher its gain, the longer, up to a third of a
/// second. With a short decay time, each gain is so low that its all-pass falls by 60 dB in three quarters of the
/// decay time, since many all-passes in series ring longer than one.
struct ReverbDiffusion {
  /// The gains: of the lines' all-passes, then of those at the input.
  let gains: UnsafeMutablePointer<Float>
  // Delays in seconds, and the gains with a long decay.
  private let seconds: UnsafeMutablePointer<Float>
  private let most: UnsafeMutablePointer<Float>
  private let count: Int
  // The decay time that the gains move to, or -1 before the first.
  private var decay: Float = -1
  private var moves = false

  private static let input: Float = 0.7
  private static let line: Float = 0.55
  /// The time in which an all-pass falls by 60 dB, as a part of the decay time.
  private static var share: Float { @_noLocks get { 0.75 } }
  /// The most that a gain moves in a tick.
  private static var step: Float { @_noLocks get { 0.002 } }

  /// The gains for all-passes of the given delays in samples, of which the first `lines` are in the lines.
  init(_ delays: [Int], lines: Int, rate: Float) {
    count = delays.count
    gains = .allocate(capacity: 3 * count)
    (seconds, most) = (gains + count, gains + 2 * count)
    for (index, delay) in delays.enumerated() {
      let gain = index < lines ? Self.line : Self.input
      (gains + index).initialize(to: gain)
      (seconds + index).initialize(to: Float(delay) / rate)
      (most + index).initialize(to: gain)
    }
  }

  func deallocate() { gains.deallocate() }

  /// Makes the next decay time apply at once.
  @_noLocks
  mutating func reset() { decay = -1 }

  /// Moves towards the gains for a decay time in seconds, once every tick; the first time it jumps there.
  @_noLocks @inline(__always)
  mutating func follow(_ decay: Float) {
    if decay != self.decay || moves { move(decay) }
  }

  @_noLocks @inline(never)
  private mutating func move(_ decay: Float) {
    let step = self.decay < 0 ? 1 : Self.step
    (self.decay, moves) = (decay, false)
    // log2(1000) halvings in the time.
    let rate = -9.96578428 / (max(decay, 0.05) * Self.share)
    var index = 0
    while index < count {
      let goal = min(most[index], rt_exp2(rate * seconds[index]))
      let way = goal - gains[index]
      gains[index] = way.magnitude <= step ? goal : gains[index] + (way > 0 ? step : -step)
      moves = moves || gains[index] != goal
      index &+= 1
    }
  }
}
