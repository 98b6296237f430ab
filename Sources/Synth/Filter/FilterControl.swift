import CRealtime

/// The knobs of a filter that all lanes of a sound have in common, on their way.
///
/// They go in two steps, each after the other, so that a jump begins and ends without a corner; frequencies go in octaves.
struct FilterControl {
  // Cutoff, high-pass, resonance, slope, drive, and the high-pass on the first half of its way, which is twice as long,
  // since it is the longest.
  private var near = SIMD8<Float>.zero
  private var now = SIMD8<Float>.zero
  private var nearModes = SIMD8<Float>.zero
  /// How much there is of each mode: one that is changed for another is cross-faded to it, not led there through those
  /// between. In the order of `FilterModes`.
  private(set) var modes = FilterModes.shares(0)
  /// How often what is not the cutoff has changed: what follows from it is made anew when it does.
  private(set) var edits: UInt32 = 0

  @_noLocks init() {}

  /// Octaves above 1 Hz, for middle C.
  var cutoff: Float { @_noLocks get { now[0] } }
  /// Octaves above 1 Hz; `HighPassLanes.off` and below is off.
  var highpass: Float { @_noLocks get { now[1] } }
  /// 0…1.
  var resonance: Float { @_noLocks get { now[2] } }
  /// 0 for 24 dB an octave, 1 for 12.
  var slope: Float { @_noLocks get { now[3] } }
  /// Decibels.
  var drive: Float { @_noLocks get { now[4] } }

  /// Goes on towards the knobs, a `share` of the way; with 1 it is there.
  @_noLocks
  mutating func follow(_ patch: UnsafePointer<Patch>, share: Float) {
    let knobs = patch.pointee.filter
    let highpass =
      knobs.highpass > FilterKnobs.highpassOff ? rt_log2(knobs.highpass) : HighPassLanes.off
    let goal = SIMD8<Float>(
      rt_log2(max(knobs.cutoff, 1)), share == 1 ? highpass : now[5], knobs.resonance, knobs.slope,
      knobs.drive,
      highpass, 0, 0)
    let mode = FilterModes.shares(knobs.mode)
    let (before, modesBefore) = (now, modes)
    if share == 1 {
      (near, now) = (goal, goal)
      (nearModes, modes) = (mode, mode)
    } else {
      near += (goal - near) * share
      now += (near - now) * share
      nearModes += (mode - nearModes) * share
      modes += (nearModes - modes) * share
    }
    var change = magnitude(now - before) + magnitude(modes - modesBefore)
    // The cutoff's own change counts for nothing here.
    change[0] = abs(modes[0] - modesBefore[0])
    change[5] = 0
    if sum(change) != 0 { edits &+= 1 }
  }
}
