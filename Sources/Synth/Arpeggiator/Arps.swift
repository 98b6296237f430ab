import Scenes

/// The arpeggiators of all parts.
struct Arps: ~Copyable {
  private let parts: UnsafeMutablePointer<ArpPart>
  private let entries: UnsafeMutablePointer<ArpEntry>
  private let gates: UnsafeMutablePointer<StepGate>
  private let keys: UnsafeMutablePointer<ChordKey>
  private let strokes: UnsafeMutablePointer<Strum.Stroke>
  /// Parts with something to be played or to be ended, one bit each; while it is 0, arpeggiators cost nothing.
  private(set) var busy: UInt32 = 0
  /// Parts whose arpeggiator or chord memory may hold keys, one bit each.
  private(set) var used: UInt32 = 0

  init() {
    parts = .allocate(capacity: Limits.parts)
    entries = .allocate(capacity: Limits.parts * Limits.arpKeys)
    entries.initialize(repeating: ArpEntry(), count: Limits.parts * Limits.arpKeys)
    gates = .allocate(capacity: Limits.parts * Limits.stepNotes)
    gates.initialize(repeating: StepGate(), count: Limits.parts * Limits.stepNotes)
    keys = .allocate(capacity: Limits.parts * Limits.arpKeys)
    keys.initialize(repeating: ChordKey(), count: Limits.parts * Limits.arpKeys)
    strokes = .allocate(capacity: Limits.parts * Limits.strumNotes)
    strokes.initialize(repeating: Strum.Stroke(), count: Limits.parts * Limits.strumNotes)
    for part in 0..<Limits.parts {
      (parts + part).initialize(to: Arps.part(part, entries, gates, keys, strokes))
    }
  }

  deinit {
    parts.deallocate()
    entries.deallocate()
    gates.deallocate()
    keys.deallocate()
    strokes.deallocate()
  }

  /// Returns to the initial state: no keys, no steps.
  mutating func reset() {
    for part in 0..<Limits.parts { parts[part] = Arps.part(part, entries, gates, keys, strokes) }
    (busy, used) = (0, 0)
  }

  /// The arpeggiator of a part in its initial state, with its share of the memory.
  private static func part(
    _ part: Int, _ entries: UnsafeMutablePointer<ArpEntry>, _ gates: UnsafeMutablePointer<StepGate>,
    _ keys: UnsafeMutablePointer<ChordKey>, _ strokes: UnsafeMutablePointer<Strum.Stroke>
  ) -> ArpPart {
    ArpPart(
      ArpEntries(entries + part * Limits.arpKeys), StepGates(gates + part * Limits.stepNotes),
      ChordKeys(keys + part * Limits.arpKeys), Strum(strokes + part * Limits.strumNotes), number: part)
  }

  /// The arpeggiator of part 0…7, in place.
  @_noLocks
  subscript(part: Int) -> UnsafeMutablePointer<ArpPart> { parts + part }

  /// Makes the next step of each part the first of a bar.
  @_noLocks
  func beginBars() {
    for part in 0..<Limits.parts {
      parts[part].bar = Int64.min
    }
  }

  /// Marks a part as busy.
  @_noLocks
  mutating func wake(_ part: Int) {
    busy |= 1 &<< UInt32(truncatingIfNeeded: part)
    used |= 1 &<< UInt32(truncatingIfNeeded: part)
  }

  /// Updates `busy` and `used` after a frame or an event.
  @_noLocks
  mutating func updateActivity() {
    var left = used
    while left != 0 {
      let part = left.trailingZeroBitCount
      let bit = UInt32(1) &<< UInt32(truncatingIfNeeded: part)
      if parts[part].isBusy { busy |= bit } else { busy &= ~bit }
      if parts[part].isBusy || parts[part].chordKeys.count > 0 { used |= bit } else { used &= ~bit }
      left &= left &- 1
    }
  }

  /// The frame of the next end of a note or stroke; the largest number when there is none.
  @_noLocks
  func nextFrame(_ line: BeatLine) -> Int64 {
    var (next, left) = (Int64.max, busy)
    while left != 0 {
      let part = parts + left.trailingZeroBitCount
      next = min(next, min(part.pointee.nextStroke(line), part.pointee.gates.nextFrame(line)))
      left &= left &- 1
    }
    return next
  }
}
