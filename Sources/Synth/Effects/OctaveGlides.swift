import CRealtime

/// Up to eight knobs of an effect that move by octaves: frequencies and qualities, of which one goes as far in a part of a
/// second from 100 to 200 as from 1,000 to 2,000. On a straight way, most of the octaves of a jump up would be over in its
/// first moment.
///
/// They go in two steps, one after the other, so that a jump begins without a corner. At rest nothing is computed.
struct OctaveGlides {
  /// Where they are, in their units.
  private(set) var value = Lanes(repeating: 1)
  /// True while they move.
  private(set) var moves = false
  private var chosen = Lanes(repeating: 1)
  // Octaves: where they go, where the first step is, and the second.
  private var goal = Lanes.zero
  private var near = Lanes.zero
  private var now = Lanes.zero

  /// Seconds in which a step gets nearer by a factor of e.
  private static var seconds: Float { @_noLocks get { 0.006 } }
  /// Octaves that nobody hears.
  private static var least: Float { @_noLocks get { 1e-4 } }

  @_noLocks init() {}

  /// Are at some values above 0.
  @_noLocks
  mutating func arrive(_ values: Lanes) {
    find(values)
    (near, now, value, moves) = (goal, goal, values, false)
  }

  /// Go to some values above 0, as far as they get in a tick of so many seconds.
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
    moves = !all((left * left + rest * rest) .< Lanes(repeating: Self.least * Self.least))
    if moves {
      // What rests keeps its value to the bit.
      let moved = exp2(now)
      value = select(moved, chosen, where: (left * left + rest * rest) .> Lanes.zero)
    } else {
      (near, now, value) = (goal, goal, chosen)
    }
  }

  @_noLocks
  private mutating func find(_ values: Lanes) {
    var i = 0
    while i < Limits.lanesPerGroup {
      if values[i] != chosen[i] || goal[i] == 0 { goal[i] = rt_log2(max(values[i], 1e-3)) }
      i &+= 1
    }
    chosen = values
  }
}
