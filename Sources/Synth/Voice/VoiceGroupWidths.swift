// The widths of a group's pulses, where they move.

extension VoiceGroup {
  /// Aims the width of an oscillator's pulse, where a route moves it or its knob has moved.
  @_noLocks
  mutating func aimWidth(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, perFrame: Float
  ) {
    let pointer = block.oscillators + oscillator
    let bit = UInt8(1) << UInt8(oscillator)
    let target = ModulationTarget.width(of: oscillator)
    var goal = Lanes(repeating: control.pointee.widths[oscillator])
    if control.pointee.routes.moves(target) { goal += context.sums[target.index] }
    goal = larger(smaller(goal, Lanes(repeating: Self.widest)), Lanes(repeating: 1 - Self.widest))
    if oscillators.widthsMove & bit == 0 {
      pointer.pointee.width.rest(at: Lanes(repeating: oscillators.widths[oscillator]))
    }
    pointer.pointee.width.value = select(goal, pointer.pointee.width.value, where: mask(started))
    pointer.pointee.width.aim(at: goal, perFrame: perFrame)
    oscillators.widths[oscillator] = control.pointee.widths[oscillator]
    oscillators.widthsMove |= bit
  }

  /// The width of an oscillator's pulse, and its movement.
  @_noLocks @inline(__always)
  func pulse(_ oscillator: Int, _ control: UnsafePointer<SoundParameters>) -> PulseWidth {
    block.oscillators[oscillator].pulse(
      control.pointee.pulses[oscillator], isMoving: oscillators.widthsMove >> UInt8(oscillator) & 1 != 0)
  }

  /// Advances the widths by some frames.
  @_noLocks
  func passWidths(_ frames: Int) {
    var oscillator = 0
    while oscillator < Limits.oscillators {
      let pointer = block.oscillators + oscillator
      pointer.pointee.width.value += pointer.pointee.width.step * Float(frames)
      oscillator &+= 1
    }
  }

  /// Copies the widths from a lane of another group; they may move in only one of the two groups.
  @_noLocks
  mutating func takeWidths(_ lane: Int, _ other: UnsafeMutablePointer<VoiceGroup>, _ otherLane: Int) {
    var oscillator = 0
    while oscillator < Limits.oscillators {
      let bit = UInt8(1) << UInt8(oscillator)
      let here = block.oscillators + oscillator
      if oscillators.widthsMove & bit == 0, other.pointee.oscillators.widthsMove & bit != 0 {
        let (value, step) = (here.pointee.width.value[lane], here.pointee.width.step[lane])
        here.pointee.width.rest(at: Lanes(repeating: oscillators.widths[oscillator]))
        (here.pointee.width.value[lane], here.pointee.width.step[lane]) = (value, step)
        oscillators.widthsMove |= bit
      } else if oscillators.widthsMove & bit != 0, other.pointee.oscillators.widthsMove & bit == 0 {
        here.pointee.width.jump(lane, to: other.pointee.oscillators.widths[oscillator])
      }
      oscillator &+= 1
    }
  }

  /// The widest pulse, whose other half is still audible.
  private static var widest: Float { @_noLocks get { 0.98 } }
}
