// Muting of controllers that a part does not receive.

extension ControllerState {
  /// Makes the controllers neutral that a part does not receive; `received` holds the bits of `ReceivedControllers`.
  @_noLocks
  mutating func mute(allBut received: UInt8) {
    if received & ReceivedControllers.bendBit == 0 { bend = 0 }
    if received & ReceivedControllers.wheelBit == 0 { wheel = 0 }
    if received & ReceivedControllers.pressureBit == 0 { pressure = 0 }
    if received & ReceivedControllers.pedalBit == 0 {
      (pedal, soft) = (0, 0)
      (secondPedal, sostenuto, legato) = (false, false, false)
    }
  }
}

extension NoteExpression {
  /// Makes the expression neutral that a part does not receive; `received` holds the bits of `ReceivedControllers`.
  @_noLocks
  mutating func mute(allBut received: UInt8) {
    if received & ReceivedControllers.bendBit == 0 { (bend, pitch) = (0, 0) }
    if received & ReceivedControllers.wheelBit == 0 { wheel = 0 }
    if received & ReceivedControllers.pressureBit == 0 { pressure = 0 }
  }
}
