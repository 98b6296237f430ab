import CRealtime
import Scenes

/// Up to eight knobs of an effect that glide in octaves, such as frequencies and Q: from 100 to 200 takes as long as
/// from 1,000 to 2,000. With a linear ramp, most octaves of an upward jump would pass in its first moment.
///
/// Two one-pole stages in series smooth the values, so that a jump begins without a corner. At rest nothing is
/// computed.
struct OctaveGlides {
  /// Current values in their units.
  private(set) var value = Lanes(repeating: 1)
  /// True while any value moves.
  private(set) var moves = false
  private var chosen = Lanes(repeating: 1)
  // In octaves: targets, and outputs of the first and the second stage.
  private var goal = Lanes.zero
  private var near = Lanes.zero
  private var now = Lanes.zero

  /// Time constant of each stage in seconds.
  private static var seconds: Float { @_noLocks get { 0.006 } }
  /// Inaudible distance in octaves.
  private static var least: Float { @_noLocks get { 1e-4 } }

  @_noLocks init() {}

  /// Jumps to values above 0.
  @_noLocks
  mutating func snap(_ values: Lanes) {
    find(values)
    (near, now, value, moves) = (goal, goal, values, false)
  }

  /// Moves towards values above 0 by one tick of `seconds`.
  @_noLocks @inline(__always)
  mutating func aim(_ values: Lanes, seconds: Float) {
    if moves || !all(values .== chosen) { go(values, seconds: seconds) }
  }

  @_noLocks @inline(never)
  private mutating func go(_ values: Lanes, seconds: Float) {
    if !all(values .== chosen) { find(values) }
    let share = Lanes(repeating: min(1, seconds / Self.seconds))
    near += (goal - near) * share
    now += (near - now) * share
    let (left, rest) = (goal - now, goal - near)
    let distance = left * left + rest * rest
    moves = !all(distance .< Lanes(repeating: Self.least * Self.least))
    if moves {
      // Values at rest stay identical to the bit.
      let moved = exp2(now)
      value = select(moved, chosen, where: distance .> Lanes.zero)
    } else {
      (near, now, value) = (goal, goal, chosen)
    }
  }

  @_noLocks
  private mutating func find(_ values: Lanes) {
    for i in 0..<Limits.lanesPerGroup {
      if values[i] != chosen[i] || goal[i] == 0 { goal[i] = rt_log2(max(values[i], 1e-3)) }
    }
    chosen = values
  }
}
