// Muting of controllers that a part does not receive.

extension ControllerState {
  /// Makes the controllers neutral that a part does not receive; `heard` holds the bits of `HeardControllers`.
  @_noLocks
  mutating func mute(allBut heard: UInt8) {
    if heard & HeardControllers.bendBit == 0 { bend = 0 }
    if heard & HeardControllers.wheelBit == 0 { wheel = 0 }
    if heard & HeardControllers.pressureBit == 0 { pressure = 0 }
    if heard & HeardControllers.pedalBit == 0 {
      (pedal, soft) = (0, 0)
      (secondPedal, sostenuto, legato) = (false, false, false)
    }
  }
}

extension NoteExpression {
  /// Makes the expression neutral that a part does not receive; `heard` holds the bits of `HeardControllers`.
  @_noLocks
  mutating func mute(allBut heard: UInt8) {
    if heard & HeardControllers.bendBit == 0 { (bend, pitch) = (0, 0) }
    if heard & HeardControllers.wheelBit == 0 { wheel = 0 }
    if heard & HeardControllers.pressureBit == 0 { pressure = 0 }
  }
}
