import CRealtime

/// The smoothed knobs of a filter that are equal in all lanes of a sound.
///
/// Two smoothing stages follow one another, so that a jump begins and ends without a corner. Frequencies are smoothed
/// in octaves.
struct FilterControl {
  // Cutoff, high-pass, resonance, slope, drive, the high-pass after the first two of its four stages, and the ladder's
  // share. The high-pass has twice as many stages, because its range is the largest.
  private var near = SIMD8<Float>.zero
  private var now = SIMD8<Float>.zero
  private var nearModes = SIMD8<Float>.zero
  /// Share of each mode, in the order of `FilterModes`. A change of mode is a direct cross-fade, which does not pass
  /// through the modes between.
  private(set) var modes = FilterModes.shares(0)
  /// Raised by each change except of the cutoff: values derived from the others are then computed again.
  private(set) var edits: UInt32 = 0

  @_noLocks init() {}

  /// Cutoff for middle C, octaves above 1 Hz.
  var cutoff: Float { @_noLocks get { now[0] } }
  /// Cutoff of the high-pass, octaves above 1 Hz; it is off at `HighPassLanes.off` and below.
  var highpass: Float { @_noLocks get { now[1] } }
  /// Resonance, 0…1.
  var resonance: Float { @_noLocks get { now[2] } }
  /// Slope: 0 for 24 dB an octave, 1 for 12.
  var slope: Float { @_noLocks get { now[3] } }
  /// Drive in decibels.
  var drive: Float { @_noLocks get { now[4] } }
  /// Share of the ladder, 0 for the clean filter alone. A change of character is a cross-fade.
  var ladder: Float { @_noLocks get { now[6] } }

  /// Moves towards the knobs by `share`; with 1 it is there at once.
  @_noLocks
  mutating func follow(_ patch: UnsafePointer<Patch>, share: Float) {
    let knobs = patch.pointee.filter
    let highpass =
      knobs.highpass > FilterKnobs.highpassOff ? rt_log2(knobs.highpass) : HighPassLanes.off
    let goal = SIMD8<Float>(
      rt_log2(max(knobs.cutoff, 1)), share == 1 ? highpass : now[5], knobs.resonance, knobs.slope,
      knobs.drive,
      highpass, FilterCharacter.at(knobs.character).ladder, 0)
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
    // The change of the cutoff does not count here.
    change[0] = abs(modes[0] - modesBefore[0])
    change[5] = 0
    if sum(change) != 0 { edits &+= 1 }
  }
}
