// The arpeggiator, the chord memory and the sequence of a sound. The choices are in `ArpChoices.swift`.

/// The arpeggiator of a part: it plays the held keys one after the other, in time.
public struct ArpKnobs: Sendable {
  /// 1 while it plays.
  public var on: Float = 0
  /// An `ArpMode`, the order of the notes.
  public var mode: Float = 0
  /// Octaves that it covers, 1…4.
  public var octaves: Float = 0
  /// An `ArpOrder`, the order of the octaves.
  public var order: Float = 0
  /// A `StepLength`, the length of a step; 0 uses `rate`.
  public var sync: Float = 0
  /// Steps a second.
  public var rate: Float = 0
  /// Length of a note as a share of its step, 0.01…2.
  public var gate: Float = 0
  /// The beginning of the second of two steps (swing), as a share of both, 0.25…0.75; 0.5 is straight.
  public var swing: Float = 0
  /// An `ArpVelocity`, the source of the velocities.
  public var velocity: Float = 0
  /// The velocity of `ArpVelocity.fixed`, 1…127.
  public var fixed: Float = 0
  /// Velocity that an accent adds, as a share of the distance to the greatest velocity, 0…1.
  public var accent: Float = 0
  /// Times that each note is played, 1…8.
  public var repeats: Float = 0
  /// The probability that a step is played, 0…1.
  public var chance: Float = 0
  /// 1: chance and random modes repeat their choices every `length` steps.
  public var lock: Float = 0
  /// Steps after which the order of the notes restarts; 0 means never.
  public var length: Float = 0
  /// Steps of the rhythm that are used, 1…16.
  public var steps: Float = 0
  /// The rhythm, each step an `ArpStep`.
  public var rhythm = SixteenSteps()
  /// An `ArpStart`, when the first step is played.
  public var start: Float = 0
  /// An `ArpRetrigger`, the event that restarts the order of the notes.
  public var retrigger: Float = 0
  /// An `ArpLatch`, whether the arpeggio keeps playing keys after they are released.
  public var latch: Float = 0
  /// An `ArpPedal`, the function of the sustain pedal.
  public var pedal: Float = 0
}

/// The chord memory of a part: each key plays a chord.
public struct ChordKnobs: Sendable {
  /// 1 while keys play chords.
  public var on: Float = 0
  /// Semitones from the key to another note of the chord, -36…36; 0 means no note.
  public var note1: Float = 0
  public var note2: Float = 0
  public var note3: Float = 0
  public var note4: Float = 0
  public var note5: Float = 0
  public var note6: Float = 0
  public var note7: Float = 0
  /// Seconds from one note of the chord to the next, from the lowest up; below 0 from the highest down.
  public var strum: Float = 0
}

extension UnsafePointer where Pointee == ArpKnobs {
  /// A step of the rhythm, 0..<16, as the value of its knob.
  @_noLocks
  func step(_ index: Int) -> Float {
    UnsafeRawPointer(self).advanced(by: ArpKnobs.rhythmOffset).assumingMemoryBound(to: Float.self)[index & 15]
  }
}

extension ArpKnobs {
  /// The offset of the rhythm in bytes; a test compares it with the layout.
  static var rhythmOffset: Int { @_noLocks get { 16 * MemoryLayout<Float>.size } }
}

extension UnsafePointer where Pointee == ChordKnobs {
  /// Note 0..<7 of the chord, in semitones from the key; 0 for none.
  @_noLocks
  func note(_ index: Int) -> Int {
    let notes = UnsafeRawPointer(self).assumingMemoryBound(to: Float.self) + 1
    return Int(max(-127, min(notes[max(0, min(index, 6))], 127)))
  }
}
