import CRealtime

/// A key that was pressed, for as long as its voice sounds: who pressed it and where, and what holds it.
struct Note {
  /// What holds a note, one bit each; a note that nothing holds is in its release.
  static var byKey: UInt8 { @_noLocks get { 1 } }
  static var bySustain: UInt8 { @_noLocks get { 2 } }
  static var bySostenuto: UInt8 { @_noLocks get { 4 } }
  /// The keys of a part that one voice plays: what holds them stands in their `KeyStack`.
  static var byStack: UInt8 { @_noLocks get { 8 } }
  /// The ID of no event's note.
  static var noID: UInt32 { @_noLocks get { UInt32.max } }

  /// The `noteID` of the events about it, which name the key that was struck.
  var id: UInt32 = 0
  /// What holds it.
  var held: UInt8 = 0
  var source: UInt8 = 0
  var target: UInt8 = 0
  /// The target whose pedals hold it and whose wheels move it: the manager's of an MPE zone, or its own.
  var zoneManager: UInt8 = 0
  /// What the finger on its key does, where that is told.
  var finger = NoteExpression()
  /// True of a source that tells what each finger does.
  var isFingered = false
  /// Whether the stroke had a pitch of its own, and that, semitones from its key.
  var hasStrokePitch = false
  var strokePitch: Float = 0
  /// True where what is said of its key does not reach it any more.
  var isDetached = false
  /// The key that sounds: the one that was struck, moved as its part has it.
  var key: UInt8 = 0
  /// The part that it plays, 0…7.
  var part: UInt8 = 0
  /// 0…1.
  var velocity: Float = 0
  /// Semitones from its key, where a finger has slid.
  var pitch: Float = 0
  /// Octaves that the tuning of its part moves its key from equal temperament.
  var shift: Float = 0
  /// 0…1, how much of its loudness the finger lets through.
  var gain: Float = 1
  /// 0…1, how hard its key is pressed down.
  var pressure: Float = 0
  /// A factor: what a soft pedal left of it when it was struck.
  var loudness: Float = 1
  /// True of the one voice that plays all keys of its part, held or not.
  var isMono = false
  /// Larger is newer.
  var order: UInt64 = 0

  /// No note.
  @_noLocks init() {}

  /// The note that an event starts in a part.
  @_noLocks init(_ event: Event, part: Int) {
    held = Self.byKey
    id = event.noteID
    source = event.source
    target = event.target
    zoneManager = event.target
    key = event.note
    velocity = min(event.value, 1)
    self.part = UInt8(part)
  }

  /// True of a note on a member channel of an MPE zone.
  var isMember: Bool { @_noLocks get { zoneManager != target } }

  /// Softens it by as much as a soft pedal is down, 0…1: less loud, and as a key struck less hard.
  @_noLocks
  mutating func soften(_ pedal: Float) {
    velocity *= 1 - 0.25 * pedal
    loudness = 1 - 0.2 * pedal
  }

  /// Octaves from concert pitch.
  var octaves: Float { @_noLocks get { (Float(key) - 69) / 12 + shift } }

  /// Octaves from middle C.
  var octavesFromC: Float { @_noLocks get { (Float(key) - 60) / 12 + shift } }

  /// The ID that its lane has for events: none where a stack decides.
  var laneID: UInt32 { @_noLocks get { isMono ? Note.noID : id } }

  /// How hard the key was struck as a velocity curve takes it: above 0 harder, below 0 softer. The sum of two curves is
  /// one after the other.
  @_noLocks
  mutating func shape(curve: Float) {
    if curve != 0, velocity > 0 { velocity = rt_exp2(rt_log2(velocity) * rt_exp2(-1.5 * curve)) }
  }

  /// True while a key or a pedal holds it.
  var isHeld: Bool { @_noLocks get { held != 0 } }
}

extension Event {
  /// What note it is about, in one number: who presses it and where, and the key. Not the part that plays it, since a
  /// part whose channel changes meanwhile must not keep the note.
  var noteID: UInt32 {
    @_noLocks get { UInt32(source) &<< 16 | UInt32(target) &<< 8 | UInt32(note) }
  }
}
