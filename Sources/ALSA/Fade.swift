/// The fade level of the output: a linear ramp of 10 ms, whatever the period, which prevents clicks at the beginning
/// and at the end. Plain data.
struct Fade {
  /// The length of the ramp in frames.
  private let length: Int
  /// The position on the ramp, 0…`length`.
  private var position = 0
  private var step = 0

  /// Full level, for an output at `rate` Hz.
  init(rate: Int) {
    length = max(1, rate / 100)
    position = length
  }

  /// Starts to fade in from silence.
  @_noLocks
  mutating func begin() { (position, step) = (0, 1) }

  /// Starts to fade out from the current level.
  @_noLocks
  mutating func end() { step = -1 }

  /// True when a fade-out has reached silence.
  var isOver: Bool { @_noLocks get { step < 0 && position == 0 } }

  /// The level of the next frame, 0…1.
  @_noLocks @inline(__always)
  mutating func next() -> Float {
    position = max(0, min(position &+ step, length))
    return position == length ? 1 : Float(position) / Float(length)
  }
}
