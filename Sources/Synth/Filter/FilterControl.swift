import CRealtime
import Scenes

/// The smoothed knobs of a filter that are equal in all lanes of a sound.
///
/// Two smoothing stages follow one another, so that a jump begins and ends without a corner. Frequencies are smoothed
/// in octaves.
struct FilterControl {
  // Cutoff, high-pass, resonance, slope, drive, and the high-pass after the first two of its four stages. The high-pass
  // has twice as many stages, because its range is the largest.
  private var near = SIMD8<Float>.zero
  private var now = SIMD8<Float>.zero
  private var nearModes = SIMD8<Float>.zero
  /// Share of each mode, in the order of `FilterModes`, followed by that of each character except the clean one. A
  /// change is a direct cross-fade, which does not pass through the modes between.
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
  /// Share of each character.
  var characters: CharacterShares {
    @_noLocks get { CharacterShares(ladder: modes[5], formant: modes[6], comb: modes[7]) }
  }

  /// Moves towards the knobs by `share`; with 1 it reaches them at once.
  @_noLocks
  mutating func follow(_ patch: UnsafePointer<Patch>, share: Float) {
    let knobs = patch.pointee.filter
    let highpass =
      knobs.highpass > FilterKnobs.highpassOff ? rt_log2(knobs.highpass) : HighPassLanes.off
    let goal = SIMD8<Float>(
      rt_log2(max(knobs.cutoff, 1)), share == 1 ? highpass : now[5], knobs.resonance, knobs.slope,
      knobs.drive, highpass, 0, 0)
    let mode = FilterModes.shares(knobs.mode) + FilterCharacter.at(knobs.character).shares
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
    var change = magnitude(now - before)
    // The change of the cutoff does not count here.
    (change[0], change[5]) = (0, 0)
    if sum(change + magnitude(modes - modesBefore)) != 0 { edits &+= 1 }
  }
}
