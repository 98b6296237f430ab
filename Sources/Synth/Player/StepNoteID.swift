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
