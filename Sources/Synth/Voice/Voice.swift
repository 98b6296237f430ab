/// Who a lane sounds for.
struct Voice {
  /// The life of a voice. The order matters: what is larger than `sustained` has been let go.
  static var free: UInt8 { @_noLocks get { 0 } }
  static var held: UInt8 { @_noLocks get { 1 } }
  static var sustained: UInt8 { @_noLocks get { 2 } }
  static var released: UInt8 { @_noLocks get { 3 } }
  static var fading: UInt8 { @_noLocks get { 4 } }

  /// One of the states above.
  var state: UInt8 = 0
  var source: UInt8 = 0
  var target: UInt8 = 0
  var part: UInt8 = 0
  var note: UInt8 = 0
  /// The generation of its part when it started.
  var generation: UInt32 = 0
  /// 0…1.
  var velocity: Float = 0
  /// Semitones from its key, where a finger has slid.
  var notePitch: Float = 0
  /// 0…1, how much of its loudness the finger lets through.
  var noteGain: Float = 1
  /// Larger is newer.
  var order: UInt64 = 0

  /// A lane without a voice.
  @_noLocks init() {}

  /// The voice that an event starts in a part.
  @_noLocks init(_ event: Event, part: Int, generation: UInt32) {
    source = event.source
    target = event.target
    note = event.note
    velocity = min(event.value, 1)
    self.part = UInt8(part)
    self.generation = generation
  }

  /// True while a key or a pedal holds it.
  var isHeld: Bool { @_noLocks get { state == 1 || state == 2 } }
  /// True while it counts as a voice.
  var isSounding: Bool { @_noLocks get { state >= 1 && state <= 3 } }
}
