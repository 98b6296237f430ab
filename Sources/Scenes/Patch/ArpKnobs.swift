// The arpeggiator, the chord memory and the sequence of a sound, and then their choices.

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
  public func step(_ index: Int) -> Float {
    UnsafeRawPointer(self).advanced(by: ArpKnobs.rhythmOffset).assumingMemoryBound(to: Float.self)[index & 15]
  }
}

extension ArpKnobs {
  /// The offset of the rhythm in bytes; a test compares it with the layout.
  static var rhythmOffset: Int { @_noLocks get { 16 * MemoryLayout<Float>.size } }
}

extension UnsafePointer where Pointee == ChordKnobs {
  /// Note 0..<7 of the chord, in semitones from the key; 0 for none.
  @_noLocks @inlinable
  public func note(_ index: Int) -> Int {
    let notes = UnsafeRawPointer(self).assumingMemoryBound(to: Float.self) + 1
    return Int(max(-127, min(notes[max(0, min(index, 6))], 127)))
  }
}

// The choices of the arpeggiator, in the order of their values.

extension Float {
  /// The index of the choice that a knob's value selects: the value, clamped to 0…127 and rounded.
  fileprivate var index: Int { @_noLocks get { Int(max(0, min(self, 127)) + 0.5) } }
}

/// The order in which an arpeggiator plays the held notes.
public enum ArpMode: String, CaseIterable, Sendable {
  case up
  case down
  /// Up and down. The highest and the lowest note are played once.
  case upDown = "up-down"
  /// Up and down. The highest and the lowest note are played twice.
  case upDownTwice = "up-down-2"
  case downUp = "down-up"
  /// From the outside in.
  case converge
  /// From the inside out.
  case diverge
  /// In the order in which the keys were struck.
  case played
  /// Any note, which may be the last one.
  case random
  /// Each note once in a random order, then all again in a new one.
  case shuffle
  /// A random walk: one note up, one note down, or the same note again.
  case walk
  /// All notes at once.
  case chord

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpMode {
    switch choice.index {
    case 0: .up
    case 1: .down
    case 2: .upDown
    case 3: .upDownTwice
    case 4: .downUp
    case 5: .converge
    case 6: .diverge
    case 7: .played
    case 8: .random
    case 9: .shuffle
    case 10: .walk
    default: .chord
    }
  }
}

/// The order of an arpeggiator's octaves.
public enum ArpOrder: String, CaseIterable, Sendable {
  case up, down, both, random

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpOrder {
    switch choice.index {
    case 0: .up
    case 1: .down
    case 2: .both
    default: .random
    }
  }
}

/// The source of an arpeggio's velocities.
public enum ArpVelocity: String, CaseIterable, Sendable {
  /// Each note has the velocity of its key.
  case played
  /// All notes have the velocity of the first key.
  case first
  /// All notes have the velocity of the knob `ArpKnobs.fixed`.
  case fixed
  /// All notes follow the pressure on the keys.
  case pressure

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpVelocity {
    switch choice.index {
    case 0: .played
    case 1: .first
    case 2: .fixed
    default: .pressure
    }
  }
}

/// A step of an arpeggiator's rhythm.
public enum ArpStep: String, CaseIterable, Sendable {
  case on, rest
  /// The previous note continues.
  case tie
  case accent
  /// Two, three or four notes in one step.
  case double, triple, quad
  /// All notes at once.
  case chord

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpStep {
    switch choice.index {
    case 0: .on
    case 1: .rest
    case 2: .tie
    case 3: .accent
    case 4: .double
    case 5: .triple
    case 6: .quad
    default: .chord
    }
  }
}

/// When an arpeggio begins.
public enum ArpStart: String, CaseIterable, Sendable {
  /// With the key; while a clock leads, on the next step of the beat line.
  case key
  /// On the next step of the beat line.
  case beat

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpStart {
    switch choice.index {
    case 0: .key
    default: .beat
    }
  }
}

/// The events that restart the order of an arpeggio's notes, besides the first key.
public enum ArpRetrigger: String, CaseIterable, Sendable {
  /// A new chord: a key while no other is down.
  case chord
  /// Every key.
  case key
  /// Every bar.
  case bar
  case off

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpRetrigger {
    switch choice.index {
    case 0: .chord
    case 1: .key
    case 2: .bar
    default: .off
    }
  }
}

/// Whether an arpeggio keeps playing keys after they are released.
public enum ArpLatch: String, CaseIterable, Sendable {
  case off
  /// Until a new chord is played.
  case hold
  /// Until they are struck again; keys add up.
  case add

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpLatch {
    switch choice.index {
    case 0: .off
    case 1: .hold
    default: .add
    }
  }
}

/// The function of the sustain pedal in a part with an arpeggiator.
public enum ArpPedal: String, CaseIterable, Sendable {
  /// It holds the keys of the arpeggio.
  case latch
  /// It holds the notes of the arpeggio.
  case sustain
  case ignore

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> ArpPedal {
    switch choice.index {
    case 0: .latch
    case 1: .sustain
    default: .ignore
    }
  }
}

/// The playback mode of a sequence.
public enum SequenceMode: String, CaseIterable, Sendable {
  case off
  /// While a key is held, transposed by it from middle C.
  case key
  /// While the transport runs, in addition to the keys.
  case beside

  /// The choice of a knob's value.
  @_noLocks
  public static func at(_ choice: Float) -> SequenceMode {
    switch choice.index {
    case 0: .off
    case 1: .key
    default: .beside
    }
  }
}
