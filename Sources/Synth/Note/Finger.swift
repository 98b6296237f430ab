/// What the finger on a key of an MPE member channel does, besides what the manager's controllers do. At rest for every
/// other note.
///
/// A note has a copy of its own, which follows its channel for as long as the key is down: what comes for the next note of
/// the channel does not reach one that rings on.
struct Finger {
  /// -1…1, and the same in semitones.
  var bend: Float = 0
  var pitch: Float = 0
  /// 0…1.
  var pressure: Float = 0
  /// 0…1.
  var timbre: Float = 0
  /// 0…1.
  var wheel: Float = 0
  /// 0…1.
  var breath: Float = 0

  /// At rest.
  @_noLocks init() {}

  /// As a member channel's controllers are, where its bend reaches so many semitones.
  @_noLocks
  init(_ state: ControllerState, range: Float) {
    (bend, pitch) = (state.bend, state.bend * range)
    (pressure, timbre) = (state.pressure, state.timbre)
    (wheel, breath) = (state.wheel, state.breath)
  }
}

extension ControllerState {
  /// A member channel on which no finger is: controller 74 rests in its middle.
  static var restingFinger: ControllerState {
    @_noLocks get {
      var state = ControllerState()
      state.timbre = 0.5
      return state
    }
  }
}
