// Positions of unison voices while routes move them.

extension VoiceGroup {
  /// Aims the positions of an oscillator's unison voices, modulated in each lane. When no route moves them any more,
  /// the positions that all lanes share apply again.
  @_noLocks @inline(never)
  mutating func aimSides(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>,
    perFrame: Float
  ) {
    let (knobs, bit) = (control.oscillator(oscillator), UInt8(1) << UInt8(oscillator))
    let extras = block.extras.oscillator(oscillator)
    if control.pointee.routes.moved & ModulationTarget.ofSides(oscillator) == 0 {
      oscillators.sidesMove &= ~bit
      return
    }
    if oscillators.sidesMove & bit == 0 { extras.pointee.sides.rest(at: block.gains[oscillator].sides.value) }
    oscillators.sidesMove |= bit
    let blend = control.routes.moved(knobs.pointee.blend, by: .blend(of: oscillator), sums, most: 1)
    let spread = control.routes.moved(knobs.pointee.spread, by: .spread(of: oscillator), sums, most: 1)
    let (goal, starting) = (knobs.pointee.unison.sides(blend: blend, spread: spread), mask(started))
    extras.pointee.sides.middle.aim(at: goal.middle, starting, perFrame: perFrame)
    extras.pointee.sides.own.aim(at: goal.own, starting, perFrame: perFrame)
    extras.pointee.sides.other.aim(at: goal.other, starting, perFrame: perFrame)
  }

  /// Places the voices of both sides, with separate positions in each lane.
  @_noLocks @inline(never)
  func placeLanes(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    var sides = block.extras.oscillator(oscillator).pointee.sides
    let (left, right) = (scratch.left(scratchIndex), scratch.right(scratchIndex))
    var i = 0
    while i < frames {
      let (x, y, z) = (left[i] * sides.middle.value, scratch.leftVoices[i], scratch.rightVoices[i])
      let (own, other) = (sides.own.value, sides.other.value)
      left[i] = multiplyAdd(z, other, multiplyAdd(y, own, x))
      if isStereo { right[i] = multiplyAdd(y, other, multiplyAdd(z, own, x)) }
      sides.middle.move()
      sides.own.move()
      sides.other.move()
      i &+= 1
    }
  }

  /// Advances the positions by some frames.
  @_noLocks @inline(never)
  func passSides(_ frames: Int) {
    block.extras.oscillator(0).pointee.sides.pass(frames: frames)
    block.extras.oscillator(1).pointee.sides.pass(frames: frames)
    if oscillators.sidesMove & 4 != 0 { block.extras.oscillator(2).pointee.sides.pass(frames: frames) }
  }
}
