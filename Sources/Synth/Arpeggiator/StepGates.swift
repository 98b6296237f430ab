import Scenes

/// The end of a note that an arpeggio or a sequence plays.
struct StepGate {
  /// The ID of the note.
  var id = Note.noID
  /// Its end, in beats or in frames.
  var end: Double = 0
  var isInBeats = true

  /// No note.
  @_noLocks init() {}

  /// The frame of its end.
  @_noLocks
  func frame(_ line: BeatLine) -> Int64 { isInBeats ? line.frame(of: end) : BeatLine.ceiling(end) }
}

/// The notes of a part that steps have begun, and their ends.
struct StepGates {
  private let gates: UnsafeMutablePointer<StepGate>
  private(set) var count = 0

  /// No notes, in memory for `Limits.stepNotes`, which it uses exclusively.
  init(_ gates: UnsafeMutablePointer<StepGate>) { self.gates = gates }

  /// The gate at an index 0..<`count`, in place.
  @_noLocks
  subscript(index: Int) -> UnsafeMutablePointer<StepGate> { gates + index }

  /// The position of the gate of a note of the same key, of the keys' arpeggio or of the sequence beside them; `count`
  /// when none sounds.
  @_noLocks
  func index(ofKeyOf id: UInt32) -> Int {
    var index = 0
    while index < count, (gates[index].id ^ id) & Note.stepKeyBits != 0 { index &+= 1 }
    return index
  }

  /// Adds a note. There must be room.
  @_noLocks
  mutating func add(_ gate: StepGate) {
    gates[count] = gate
    count &+= 1
  }

  /// Removes the gate at a position; the oldest is at 0.
  @_noLocks
  mutating func remove(_ index: Int) {
    count &-= 1
    var index = index
    while index < count {
      gates[index] = gates[index &+ 1]
      index &+= 1
    }
  }

  /// Removes all gates.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// The frame of the next end; the largest number when there is none.
  @_noLocks
  func nextFrame(_ line: BeatLine) -> Int64 {
    var (next, index) = (Int64.max, 0)
    while index < count {
      next = min(next, gates[index].frame(line))
      index &+= 1
    }
    return next
  }
}
