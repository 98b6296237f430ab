import CRealtime
import Scenes

/// The horn and the drum of a rotary speaker: how fast they turn, and where they are.
///
/// A rotor approaches the speed of its motor as a first-order system, with one time constant to speed up and another to
/// slow down (J. Herrera, C. Hanson and J. S. Abel, "Discrete time emulation of the Leslie speaker", AES convention 127,
/// 2009). Speeds and times are those of `whirl`, the rotary speaker of setBfree.
struct Rotors {
  /// The angle of the horn; the whole range of 32 bits is one turn, and 0 faces the middle of the microphones.
  private(set) var horn: Int32 = 0
  /// The angle of the drum.
  private(set) var drum: Int32 = 0
  /// Turns of the horn and of the drum in a second.
  private(set) var hertz = SIMD2<Float>.zero
  // Angles by which they turn in the current tick.
  private var hornStep: Int32 = 0
  private var drumStep: Int32 = 0
  // False until they have a speed.
  private var isTurning = false

  /// Differences in hertz that count as none.
  private static var nothing: Float { @_noLocks get { 1e-4 } }

  /// At rest, facing the middle.
  @_noLocks init() {}

  /// The angle of the horn in the middle of the tick.
  var hornBetween: Int32 { @_noLocks @inline(__always) get { horn &- (hornStep &- hornStep / 2) } }

  /// Begins at the speeds of the knobs. Rotors that already turn continue.
  @_noLocks
  mutating func begin(_ knobs: UnsafePointer<RotaryKnobs>) {
    (hornStep, drumStep) = (0, 0)
    if isTurning { return }
    hertz = RotarySpeed.at(knobs.pointee.speed).hertz * knobs.pointee.rate
    isTurning = true
  }

  /// Turns to the end of a tick of `seconds`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func turn(_ chosen: UnsafePointer<RotaryKnobs>, seconds: Float) {
    let goal = RotarySpeed.at(chosen.pointee.speed).hertz * chosen.pointee.rate
    let pace = seconds / max(chosen.pointee.inertia, RotaryKnobs.leastInertia)
    hertz.x = Self.approach(hertz.x, goal.x, pace / (goal.x > hertz.x ? 0.161 : 0.321))
    hertz.y = Self.approach(hertz.y, goal.y, pace / (goal.y > hertz.y ? 4.127 : 1.371))
    let turns = hertz * (seconds * 4_294_967_296)
    (hornStep, drumStep) = (rt_whole_number(turns.x), rt_whole_number(turns.y))
    horn &+= hornStep
    drum &+= drumStep
  }

  /// The speed after `time` time constants; `time` must be small.
  @_noLocks @inline(__always)
  private static func approach(_ speed: Float, _ goal: Float, _ time: Float) -> Float {
    // The beginning of the series of 1 - exp(-time).
    let next = speed + (goal - speed) * (time - 0.5 * time * time)
    return (goal - next).magnitude < nothing ? goal : next
  }
}

extension RotarySpeed {
  /// Turns of the horn and of the drum in a second.
  fileprivate var hertz: SIMD2<Float> {
    @_noLocks @inline(__always) get {
      switch self {
      case .stop: .zero
      case .slow: SIMD2(0.672, 0.600)
      case .fast: SIMD2(7.056, 5.955)
      }
    }
  }
}
