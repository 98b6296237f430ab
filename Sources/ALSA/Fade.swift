/// The level at which the output comes and goes: a straight line of 10 ms, whatever the period, so that neither
/// clicks. Plain data.
struct Fade {
  /// Frames from silence to sound.
  private let length: Int
  /// Of them, how many lie below the level now.
  private var position = 0
  private var step = 0

  /// Sound, for an output at `rate` Hz.
  init(rate: Int) {
    length = max(1, rate / 100)
    position = length
  }

  /// From silence to sound.
  @_noLocks
  mutating func begin() { (position, step) = (0, 1) }

  /// From here to silence.
  @_noLocks
  mutating func end() { step = -1 }

  /// Nothing is heard any more.
  var isOver: Bool { @_noLocks get { step < 0 && position == 0 } }

  /// The level of the next frame, 0…1.
  @_noLocks @inline(__always)
  mutating func next() -> Float {
    position = max(0, min(position &+ step, length))
    return position == length ? 1 : Float(position) / Float(length)
  }
}
