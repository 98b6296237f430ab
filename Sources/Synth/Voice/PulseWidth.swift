// Pulses whose width moves: in a straight line from update to update, and in each lane by itself.

/// How far the end of a pulse lies behind its beginning, as a phase, and what it moves by for each sample.
struct PulseWidth {
  var end: Phases
  var step = Phases.zero

  @_noLocks @inline(__always)
  init(_ end: Phases) { self.end = end }

  /// Of a width that moves: a part of the period, of which 1 is a whole one.
  @_noLocks @inline(__always)
  init(_ width: Ramp) { (end, step) = (phases(width.value) &<< 1, phases(width.step) &<< 1) }

  /// The same so many frames later, or earlier.
  @_noLocks @inline(__always)
  func moved(by frames: Int) -> PulseWidth {
    var moved = self
    moved.end &+= way(step, frames)
    return moved
  }
}

extension VoiceGroup {
  /// Aims the width of an oscillator's pulse, where a route moves it or its knob has.
  @_noLocks
  mutating func aimWidth(
    _ oscillator: Int, _ control: UnsafePointer<SoundControl>, _ context: Context, perFrame: Float
  ) {
    let place = block.oscillators + oscillator
    let bit = UInt8(1) << UInt8(oscillator)
    let target = oscillator == 0 ? ModulationTarget.width1 : ModulationTarget.width2
    var goal = Lanes(repeating: control.pointee.widths[oscillator])
    if control.pointee.routes.moves(target) { goal += context.sums[target.index] }
    goal = larger(smaller(goal, Lanes(repeating: Self.widest)), Lanes(repeating: 1 - Self.widest))
    if widthsMove & bit == 0 { place.pointee.width.rest(at: Lanes(repeating: widths[oscillator])) }
    place.pointee.width.value = select(goal, place.pointee.width.value, where: mask(fresh))
    place.pointee.width.aim(at: goal, perFrame: perFrame)
    widths[oscillator] = control.pointee.widths[oscillator]
    widthsMove |= bit
  }

  /// The width of an oscillator's pulse, and how it moves.
  @_noLocks @inline(__always)
  func pulse(_ oscillator: Int, _ control: UnsafePointer<SoundControl>) -> PulseWidth {
    block.oscillators[oscillator].pulse(
      control.pointee.pulses[oscillator], isMoving: widthsMove >> UInt8(oscillator) & 1 != 0)
  }

  /// The widths go on by so many frames.
  @_noLocks
  func passWidths(_ frames: Int) {
    var oscillator = 0
    while oscillator < LaneBlock.oscillators {
      let place = block.oscillators + oscillator
      place.pointee.width.value += place.pointee.width.step * Float(frames)
      oscillator &+= 1
    }
  }

  /// Takes over the widths of a lane of another group, which may move there or here alone.
  @_noLocks
  mutating func takeWidths(_ lane: Int, _ other: UnsafeMutablePointer<VoiceGroup>, _ place: Int) {
    var oscillator = 0
    while oscillator < LaneBlock.oscillators {
      let bit = UInt8(1) << UInt8(oscillator)
      let here = block.oscillators + oscillator
      if widthsMove & bit == 0, other.pointee.widthsMove & bit != 0 {
        let (value, step) = (here.pointee.width.value[lane], here.pointee.width.step[lane])
        here.pointee.width.rest(at: Lanes(repeating: widths[oscillator]))
        (here.pointee.width.value[lane], here.pointee.width.step[lane]) = (value, step)
        widthsMove |= bit
      } else if widthsMove & bit != 0, other.pointee.widthsMove & bit == 0 {
        here.pointee.width.jump(lane, to: other.pointee.widths[oscillator])
      }
      oscillator &+= 1
    }
  }

  /// The widest pulse: what is left of its other half is still heard.
  private static var widest: Float { @_noLocks get { 0.98 } }
}

extension OscillatorLanes {
  /// The width of its pulse: `end` in each lane, or where it moves, one of its own.
  @_noLocks @inline(__always)
  func pulse(_ end: Int32, isMoving: Bool) -> PulseWidth {
    isMoving ? PulseWidth(width) : PulseWidth(Phases(repeating: end))
  }

  /// Adds a pulse whose width moves: its second saw goes a little faster than the first, or slower.
  @_noLocks
  func addMovingSquare(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    let pulse = PulseWidth(width)
    var p = phase &+ pulse.end
    let unit = BandLimitedStep.unit
    var level = ramp.pointee.value * unit
    let (advance, other) = (advance, advance &+ pulse.step)
    let step = ramp.pointee.step * unit
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = steepness - steepness
    var i = 0
    while i < frames {
      let up = BandLimitedStep.saw(numbers(s), slope, offset, none)
      let down = BandLimitedStep.saw(numbers(p), slope, offset, none)
      x[i] = multiplyAdd(level, up - down, base[i])
      level += step
      s &+= advance
      p &+= other
      i &+= 1
    }
    ramp.pointee.value = level * BandLimitedStep.scale
  }
}
