/// The expression of the finger on a key, in addition to the controllers of its channel: from the note's own MPE member
/// channel, or from MIDI 2.0 messages about the single key. Neutral for every other note.
///
/// Each note has its own copy. It follows its member channel while the key is down, so that messages for the next note
/// of the channel do not reach a note that rings on. Messages about a key also reach notes that ring on, unless they
/// are detached.
struct NoteExpression {
  /// Bend -1…1, and the bend in semitones.
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
  /// Semitones from the key, apart from the bend.
  var shift: Float = 0
  /// 0…1, gains that are squared like the channel's expression.
  var (volume, expression): (Float, Float) = (1, 1)

  /// The shift of the pitch in octaves.
  var octaves: Float { @_noLocks get { (pitch + shift) / 12 } }

  /// Neutral.
  @_noLocks init() {}

  /// The expression of a member channel with a bend range in semitones.
  @_noLocks
  init(_ state: ControllerState, range: Float) {
    (bend, pitch) = (state.bend, state.bend * range)
    (pressure, timbre) = (state.pressure, state.timbre)
    (wheel, breath) = (state.wheel, state.breath)
  }
}

extension ControllerState {
  /// Takes the finger off a member channel. Bend and timbre stay for the next key.
  @_noLocks
  mutating func restFinger() {
    var resting = ControllerState.restingFinger
    resting.bend = bend
    resting.timbre = timbre
    self = resting
  }

  /// A member channel without a finger: controller 74 rests in its middle.
  static var restingFinger: ControllerState {
    @_noLocks get {
      var state = ControllerState()
      state.timbre = 0.5
      return state
    }
  }
}
