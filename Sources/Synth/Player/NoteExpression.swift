import Scenes

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
  /// -1…1, from left to right.
  var pan: Float = 0
  /// Semitones from the key, apart from the bend.
  var pitchOffset: Float = 0
  /// 0…1, gains that are squared like the channel's expression.
  var (volume, expression): (Float, Float) = (1, 1)

  /// The shift of the pitch in octaves.
  var octaves: Float { @_noLocks get { (pitch + pitchOffset) / 12 } }

  /// Neutral.
  @_noLocks init() {}
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
