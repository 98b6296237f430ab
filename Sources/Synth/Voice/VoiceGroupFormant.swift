// The formant filter of a group.

extension VoiceGroup {
  /// Computes the peaks from the knobs and their modulation, for all lanes.
  @_noLocks
  mutating func shapeFormant(resonance: Lanes, _ modes: FilterModes) {
    block.extras.pointee.formantShape = FormantShape(resonance: resonance, modes: modes)
    filtering.isFormantReshaped = true
    if filtering.shares.formant > 0 { filtering.wants.bits |= FilterNeeds.formant }
  }

  /// Aims the peaks at a cutoff.
  @_noLocks
  mutating func aimFormant(
    _ cutoff: Lanes, _ rate: Float, perFrame: Float, before: FilterNeeds, mayRest: Bool
  ) {
    let extras = block.extras
    if !before.hasFormant {
      extras.pointee.formant.begin(at: cutoff, extras.pointee.formantShape, rate: rate)
      extras.pointee.formantRight = extras.pointee.formant
    }
    let mayRest = mayRest && before.hasFormant && !filtering.isFormantReshaped
    filtering.isFormantReshaped = false
    filtering.isFormantSettled = extras.pointee.formant.aim(
      at: cutoff, extras.pointee.formantShape, rate: rate, perFrame: perFrame, mayRest: mayRest)
  }

  /// Clears a lane of the peaks.
  @_noLocks
  func resetFormant(_ lane: Int) {
    block.extras.pointee.formant.reset(lane)
    block.extras.pointee.formantRight.reset(lane)
  }

  /// Filters one side. Returns where the output is.
  @_noLocks
  func passFormant(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, y, moves) = (block.extras, context.mixer.filtered, !filtering.isFormantSettled)
    if isRight {
      extras.pointee.formantRight.follow(&extras.pointee.formant)
      extras.pointee.formantRight.process(x, to: y, frames: frames, moves: moves)
    } else {
      extras.pointee.formant.process(x, to: y, frames: frames, moves: moves)
    }
    return y
  }
}
