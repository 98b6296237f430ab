import Scenes

/// The grid of the steps of an arpeggio or a sequence. A position is in beats, or in frames while the steps follow a rate.
///
/// A step is computed from the anchor and its whole number, never from the step before, so rounding errors do not add
/// up. Odd steps are moved by the swing.
struct ArpGrid {
  /// The position of step 0.
  private(set) var anchor: Double = 0
  /// The distance between two steps without swing.
  private(set) var length: Double = 0
  /// The position of the second of two steps, as a share of both.
  private var swing: Double = 0.5
  private(set) var isInBeats = true
  /// True while the anchor is the beginning of the beat line, or frame 0, and not a key.
  private(set) var isCommon = true
  /// The next step to be played.
  private(set) var next: Int64 = 0
  // The number of jumps of the beat line that the grid has followed.
  private var jumps: UInt32 = 0

  /// Straight steps without a length, which `follow` sets.
  @_noLocks init() {}

  // MARK: - Positions

  /// The position of a step.
  @_noLocks
  func position(_ step: Int64) -> Double {
    let straight = anchor + Double(step) * length
    return step & 1 == 0 ? straight : straight + (2 * swing - 1) * length
  }

  /// The distance from a step to the next one.
  @_noLocks
  func length(of step: Int64) -> Double { position(step &+ 1) - position(step) }

  /// The first frame that is not before a position.
  @_noLocks
  func frame(of position: Double, _ line: BeatLine) -> Int64 {
    isInBeats ? line.frame(of: position) : BeatLine.ceiling(position)
  }

  /// The position at a frame.
  @_noLocks
  func position(at frame: Int64, _ line: BeatLine) -> Double {
    isInBeats ? line.beat(at: frame) : Double(frame)
  }

  /// The bar of a step, without a song of four quarter notes from the beginning of the beat line on.
  @_noLocks
  func bar(of step: Int64, at frame: Int64, _ clock: BeatClock) -> Int64 {
    let beat = isInBeats ? anchor + Double(step) * length : clock.line.beat(at: frame)
    let bars = clock.bars(quarters: 4)
    let counted = bars.beat(at: beat + Self.rounding)
    return (counted &- bars.place(inBar: counted)) / Int64(bars.beats)
  }

  /// The first step that begins at a frame or after it.
  @_noLocks
  private func step(at frame: Int64, _ line: BeatLine) -> Int64 {
    let steps = (position(at: frame, line) - anchor) / max(length, Self.shortest)
    var step = Int64(max(-1e12, min(steps, 1e12))) &- 2
    while self.frame(of: position(step), line) < frame { step &+= 1 }
    return step
  }

  // MARK: - Course

  /// Begins with a key, at its frame: step 0 is next.
  @_noLocks
  mutating func begin(at frame: Int64, _ line: BeatLine) {
    anchor = position(at: frame, line)
    (isCommon, next, jumps) = (false, 0, line.jumps)
  }

  /// Begins with the next step from a frame on, on the grid that all parts have in common. A step that was played is
  /// not played again, unless the beat line starts.
  @_noLocks
  mutating func join(at frame: Int64, _ line: BeatLine, starts: Bool = false) {
    let played = isCommon && jumps == line.jumps && !starts ? next : Int64.min
    (anchor, isCommon, jumps) = (0, true, line.jumps)
    // Steps of a rate have no place on the beat line, so they begin with it.
    if starts, !isInBeats { anchor = Double(frame) }
    next = max(step(at: frame, line), played)
  }

  /// Advances to the step after `next`.
  @_noLocks
  mutating func pass() { next &+= 1 }

  /// Follows the knobs. The step that was played last keeps its place; on the common grid, the next step is one of the
  /// new length.
  @_noLocks
  mutating func follow(_ knobs: UnsafePointer<ArpKnobs>, at frame: Int64, _ line: BeatLine, rate: Double) {
    let beats = StepLength.beats(knobs.pointee.sync)
    let length = beats > 0 ? beats : rate / max(0.01, Double(knobs.pointee.rate))
    swing = max(0.25, min(Double(knobs.pointee.swing), 0.75))
    if length == self.length, isInBeats == (beats > 0) { return }
    let isNew = self.length == 0
    if isInBeats == (beats > 0), !isCommon, !isNew {
      anchor += Double(next &- 1) * (self.length - length)
      self.length = length
      return
    }
    let wasCommon = isCommon
    (self.length, isInBeats) = (length, beats > 0)
    if isNew { return }
    let kept = next
    if wasCommon {
      anchor = 0
      next = step(at: frame &+ 1, line)
    } else {
      // The unit has changed: the next step is due one step length after this frame.
      anchor = position(at: frame, line) - Double(kept &- 1) * length
      next = kept
    }
  }

  /// Follows a jump of the beat line. True when it was longer than a step: the grid then continues with the first
  /// step from this frame on.
  @_noLocks
  mutating func followJumps(at frame: Int64, _ line: BeatLine) -> Bool {
    if jumps == line.jumps { return false }
    jumps = line.jumps
    if !isInBeats { return false }
    let step = step(at: frame, line)
    if step >= next &- 1, step <= next &+ 1 { return false }
    next = step
    return true
  }

  /// Skips steps that are late by more than a step, so that the grid catches up without a burst of notes.
  @_noLocks
  mutating func skip(to frame: Int64, _ line: BeatLine) {
    if self.frame(of: position(next &+ 1), line) <= frame { next = step(at: frame, line) }
  }

  // Tolerance in beats, so that rounding does not make a bar a step late.
  private static var rounding: Double { @_noLocks get { 1e-6 } }
  private static var shortest: Double { @_noLocks get { 1e-9 } }
}

/// A step that is divided into several equal notes.
struct Ratchet {
  /// The step, its notes, and how many of them have begun.
  var step: Int64 = 0
  var count = 0
  var begun = 0

  /// Nothing to be played.
  @_noLocks init() {}

  /// A step of several notes, the first of which has begun.
  @_noLocks
  init(_ step: Int64, count: Int) { (self.step, self.count, begun) = (step, count, 1) }

  /// True while notes are to be played.
  var isGoing: Bool { @_noLocks get { begun < count } }

  /// The length of one of its notes.
  @_noLocks
  func length(_ grid: ArpGrid) -> Double { grid.length(of: step) / Double(max(count, 1)) }

  /// The position of the next note.
  @_noLocks
  func position(_ grid: ArpGrid) -> Double { grid.position(step) + Double(begun) * length(grid) }
}
