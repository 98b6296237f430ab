/// What the finger on a key does, besides what the controllers of its channel do: by the member channel of MPE that it has
/// for itself, or by messages of MIDI 2.0 about the one key. At rest for every other note.
///
/// A note has a copy of its own. It follows a member channel for as long as the key is down: what comes for the next note of
/// the channel does not reach one that rings on. What is said of a key reaches what rings on too, unless that was detached.
struct NoteExpression {
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
  /// Semitones from the key, which are no bend.
  var shift: Float = 0
  /// 0…1, how much of its loudness is left, as expression has it.
  var (volume, expression): (Float, Float) = (1, 1)

  /// How far it moves the pitch.
  var octaves: Float { @_noLocks get { (pitch + shift) / 12 } }

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
