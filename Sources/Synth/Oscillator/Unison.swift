import CRealtime

/// Detuning and stereo position of the voices of a unison. The detuning of seven voices is that of Roland's JP-8000 as
/// A. Szabó measured it ("How to Emulate the Super Saw", KTH, 2010), neither symmetric nor in equal ratios, so that the
/// beats never line up; fewer voices are detuned similarly. A fractional number of voices is interpolated, so that the
/// last voice fades in.
///
/// From the lowest to the highest, the voices lie left and right in turn. If their number is odd, the first voice is in
/// the middle.
struct Unison {
  /// The greatest number of voices.
  static var mostVoices: Int { @_noLocks get { 7 } }
  /// The voices of an oscillator that lie on a side, one bit each: all but the voice in the middle.
  static var sides: UInt8 { @_noLocks get { 0x7f } }
  /// The voices that lie left, one bit each; the others lie right. For the first voice see `middle`.
  static var left: UInt8 { @_noLocks get { 0b0011_0100 } }

  /// Detuning of each voice; about ±1 for the outermost.
  var offsets: SIMD8<Float>
  /// Weight of each voice on its side.
  var weights: SIMD8<Float>
  /// Weight of the first voice in the middle; the rest of it is on a side.
  var middle: Float
  /// True when the first voice's side is the left.
  var isFirstLeft: Bool

  /// The unison of a number of voices, 1…7.
  @_noLocks
  init(_ count: Float) {
    let whole = Int(count)
    let share = count - Float(whole)
    let next = min(whole &+ 1, 7)
    offsets = Self.offsets(whole) + (Self.offsets(next) - Self.offsets(whole)) * share
    weights = .zero
    var voice = 1
    while voice < whole {
      weights[voice] = 1
      voice &+= 1
    }
    if share > 0 { weights[whole] = share }
    let (odd, nextOdd) = (Float(whole & 1), Float(next & 1))
    middle = odd + (nextOdd - odd) * share
    weights[0] = 1 - middle
    isFirstLeft = whole < 5
  }

  /// Detuning for a whole number of voices. The first voice of an odd number is in the middle.
  @_noLocks
  private static func offsets(_ count: Int) -> SIMD8<Float> {
    switch count {
    case 1: .zero
    case 2: SIMD8(-1.024, 1, 0, 0, 0, 0, 0, 0)
    case 3: SIMD8(0, 1, -1.024, 0, 0, 0, 0, 0)
    case 4: SIMD8(0.31, 1, -1.024, -0.34, 0, 0, 0, 0)
    case 5: SIMD8(0, 1, -1.024, -0.44, 0.42, 0, 0, 0)
    case 6: SIMD8(0.19, 1, -1.024, -0.585, 0.579, -0.2, 0, 0)
    default: SIMD8(0, 1, -1.024, -0.585, 0.579, -0.182, 0.185, 0)
    }
  }

  /// Gains of the middle voice, of side voices on their side, and of side voices on the opposite side. `blend`, 0…1,
  /// raises the side voices as the JP-8000 mixes them. All voices together are as loud as one, and a voice is equally
  /// loud at any position.
  @_noLocks
  func sides(blend: Float, spread: Float) -> SIMD8<Float> {
    let most = 0.99785 - 0.55366 * blend
    let side = (1.2841 - 0.73764 * blend) * blend + 0.044372
    let power = middle * middle * most * most + sum(weights * weights) * side * side
    let level = 1 / rt_sqrt(power)
    if spread == 0 { return SIMD8(level * most, level * side, level * side, 0, 0, 0, 0, 0) }
    // √2·cos(π/4·(1 - x)) for a position x of -1…1.
    let own = rt_cos(0.785398163 * (1 - spread))
    // Exactly 0 at the widest: then a voice is rendered on one side only.
    let other = spread < 1 ? rt_cos(0.785398163 * (1 + spread)) : 0
    return SIMD8(
      level * most, level * side * 1.41421356 * own, level * side * 1.41421356 * other, 0, 0, 0, 0, 0)
  }

  /// The gains for a blend and a spread of each lane.
  @_noLocks
  func sides(blend: Lanes, spread: Lanes) -> (middle: Lanes, own: Lanes, other: Lanes) {
    let most = 0.99785 - 0.55366 * blend
    let side = (1.2841 - 0.73764 * blend) * blend + 0.044372
    let power = middle * middle * most * most + sum(weights * weights) * side * side
    let level = inverse(root(power))
    let louder = level * side * 1.41421356
    return (level * most, louder * sinePi(0.25 + 0.25 * spread), louder * sinePi(0.25 - 0.25 * spread))
  }
}

/// Gains of a unison's voices in each lane while a route moves them, in the meaning of `OscillatorControl.sides`.
struct UnisonSides {
  var middle = Ramp()
  var own = Ramp()
  var other = Ramp()

  /// Rests at gains that are equal in all lanes.
  @_noLocks
  mutating func rest(at sides: SIMD8<Float>) {
    middle.rest(at: Lanes(repeating: sides[0]))
    own.rest(at: Lanes(repeating: sides[1]))
    other.rest(at: Lanes(repeating: sides[2]))
  }

  @_noLocks
  mutating func pass(frames: Int) {
    middle.pass(frames: frames)
    own.pass(frames: frames)
    other.pass(frames: frames)
  }
}
