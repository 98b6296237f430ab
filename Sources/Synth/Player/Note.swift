import CRealtime
import Scenes

/// A note, from the press of its key until its voice ends: its source, its key, and what holds it.
struct Note {
  /// The holders of a note, one bit each; a note without a holder is in its release.
  static var byKey: UInt8 { @_noLocks get { 1 } }
  static var bySustain: UInt8 { @_noLocks get { 2 } }
  static var bySostenuto: UInt8 { @_noLocks get { 4 } }
  /// Holder of the mono voice: the `KeyStack` of its part knows what holds its keys.
  static var byStack: UInt8 { @_noLocks get { 8 } }
  /// Holder of a note of an arpeggio or a sequence: its gate.
  static var byStep: UInt8 { @_noLocks get { 16 } }
  /// The holders by which a key counts as down.
  static var byKeys: UInt8 { @_noLocks get { byKey | byStep } }
  /// An ID that no event has.
  static var noID: UInt32 { @_noLocks get { UInt32.max } }

  /// The `noteID` of its events, which identifies the key that was struck.
  var id: UInt32 = 0
  /// Its holders.
  var held: UInt8 = 0
  var source: UInt8 = 0
  var target: UInt8 = 0
  /// The target whose pedals hold it and whose wheels move it: the manager of an MPE zone, or its own target.
  var zoneManager: UInt8 = 0
  /// The expression of the finger on its key, if the source sends it.
  var finger = NoteExpression()
  /// True when the source sends finger expression.
  var isFingered = false
  /// Whether the stroke has its own pitch, and this pitch in semitones from the key.
  var hasStrokePitch = false
  var strokePitch: Float = 0
  /// The key that was struck for it.
  var struck: UInt8 = 0
  /// True for a note of a step while the key that it was made from is down.
  var followsKey = false
  /// True when messages about its key no longer apply to it.
  var isDetached = false
  /// The key that sounds: the key that was struck, transposed by the part.
  var key: UInt8 = 0
  /// The part that plays it, 0…7.
  var part: UInt8 = 0
  /// 0…1.
  var velocity: Float = 0
  /// Offset from its key in semitones, set by a sliding finger.
  var pitch: Float = 0
  /// Octaves by which the tuning of its part shifts its key from equal temperament.
  var tuningOctaves: Float = 0
  /// 0…1, the gain that the finger sets.
  var gain: Float = 1
  /// 0…1, the pressure on its key.
  var pressure: Float = 0
  /// The gain that a soft pedal gave it when it was struck.
  var loudness: Float = 1
  /// The drum of a kit whose own sound it plays, and the index of that sound; 0 for a note of the part's sound.
  var drum: UInt8 = 0
  var drumSound: UInt8 = 0
  /// True for the mono voice of a part, held or not.
  var isMono = false
  /// Order of the strokes: a larger number is newer.
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
    struck = event.note
    velocity = min(event.value, 1)
    self.part = UInt8(part)
  }

  /// True for a note on a member channel of an MPE zone.
  var isMember: Bool { @_noLocks get { zoneManager != target } }

  /// Softens it by the depth of a soft pedal, 0…1: a lower gain, and the velocity of a softer stroke.
  @_noLocks
  mutating func soften(_ pedal: Float) {
    velocity *= 1 - 0.25 * pedal
    loudness = 1 - 0.2 * pedal
  }

  /// Octaves from concert pitch.
  var octaves: Float { @_noLocks get { (Float(key) - 69) / 12 + tuningOctaves } }

  /// Octaves from middle C.
  var octavesFromC: Float { @_noLocks get { (Float(key) - 60) / 12 + tuningOctaves } }

  /// The ID by which events find its lane: `noID` for a mono voice, whose keys are in a stack.
  var laneID: UInt32 { @_noLocks get { isMono ? Note.noID : id } }

  /// Applies a velocity curve: above 0 the key sounds as if struck harder, below 0 softer. Applying the sum of two
  /// curves equals applying both in turn.
  @_noLocks
  mutating func shape(curve: Float) {
    if curve != 0, velocity > 0 { velocity = rt_exp2(rt_log2(velocity) * rt_exp2(-1.5 * curve)) }
  }

  /// True while a key or a pedal holds it.
  var isHeld: Bool { @_noLocks get { held != 0 } }
}

extension Event {
  /// The note that an event is about, as one number: source, target and key. The part that plays it is not included,
  /// so that the note can be released after the channel of its part has changed.
  var noteID: UInt32 {
    @_noLocks get { UInt32(source) &<< 16 | UInt32(target) &<< 8 | UInt32(note) }
  }
}

// The IDs of notes that no key plays directly: those of arpeggios, sequences and chords. Bits that no event has keep
// them apart from the keys; the last seven bits are the key that sounds.

extension Note {
  /// The bits of an ID that say what plays the note: a step, a step beside the keys, or a chord.
  static var stepBit: UInt32 { @_noLocks get { 1 << 31 } }
  static var besideBit: UInt32 { @_noLocks get { 1 << 30 } }
  static var chordBit: UInt32 { @_noLocks get { 1 << 29 } }
  /// Mask of the bits that are equal in the IDs of two step notes of the same key.
  static var stepKeyBits: UInt32 { @_noLocks get { besideBit | 0x7f } }

  /// The ID of a note on a key for this source and target; `bits` tell what plays it.
  @_noLocks
  func id(_ bits: UInt32, key: UInt8) -> UInt32 {
    bits | UInt32(source) &<< 16 | UInt32(target) &<< 8 | UInt32(key & 127)
  }

  /// True for a note of the sequence beside the keys, which no source plays.
  var isBeside: Bool { @_noLocks get { id & Self.besideBit != 0 } }

  /// True for a note of the chord memory.
  var isOfChord: Bool { @_noLocks get { id & Self.chordBit != 0 } }

  /// The `noteID` of the events about its key.
  var keyEventID: UInt32 {
    @_noLocks get { UInt32(source) &<< 16 | UInt32(target) &<< 8 | UInt32(struck) }
  }

  /// True while it follows the finger on its key.
  var tracksExpression: Bool { @_noLocks get { held & Self.byKey != 0 || followsKey } }
}

/// The pitch at which the glide of a note begins, and its duration.
struct GlideStart {
  /// Octaves from concert pitch.
  let pitch: Float
  /// Seconds until 99 % of the glide is done, or of each octave of it.
  let seconds: Float

  @_noLocks init(pitch: Float, seconds: Float) { (self.pitch, self.seconds) = (pitch, seconds) }
}
