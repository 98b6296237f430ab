// What a part that does not hear a controller makes of it.

extension ControllerState {
  /// Puts to rest what a part does not hear; `heard` has the bits of `HeardControllers`.
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
  /// Puts to rest what a part does not hear; `heard` has the bits of `HeardControllers`.
  @_noLocks
  mutating func mute(allBut heard: UInt8) {
    if heard & HeardControllers.bendBit == 0 { (bend, pitch) = (0, 0) }
    if heard & HeardControllers.wheelBit == 0 { wheel = 0 }
    if heard & HeardControllers.pressureBit == 0 { pressure = 0 }
  }
}
