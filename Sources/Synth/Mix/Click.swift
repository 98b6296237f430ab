/// The click: a short stroke on each beat of the bars that count, accented on the first of a bar. It is added
/// after the limiters, so it changes nothing else, and recordings leave it out unless the scene includes it.
struct Click: ~Copyable {
  private var strokes: ClickStrokes
  // The next beat to be struck and the bars in which it counts, the jumps of the line up to now, and the frame after the
  // last run that was followed.
  private var next: Int64 = 0
  private var bars = Meter(quarters: 4)
  private var jumps: UInt32 = 0
  private var end = Int64.min
  // The block as it is recorded, if it is not what the outputs 1 and 2 play.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>

  init(rate: Double) {
    strokes = ClickStrokes(rate: rate)
    (left, right) = (.allocate(capacity: Limits.period), .allocate(capacity: Limits.period))
    left.initialize(repeating: 0, count: Limits.period)
    right.initialize(repeating: 0, count: Limits.period)
  }

  deinit {
    strokes.deallocate()
    left.deallocate()
    right.deallocate()
  }

  /// Begins the strokes of a run in which the clock does not change, on a pair of outputs. A beat that a change of
  /// the line moves into the past before it was struck is struck at once; after a jump, the first beat is the next
  /// one of the line.
  @_noLocks
  mutating func follow(_ clock: BeatClock, _ knobs: ClickKnobs, pair: Int, from frame: Int64, frames: Int) {
    if !clock.isRunning && clock.countIn == 0 { return }
    let bars = clock.bars(quarters: knobs.beatsPerBar)
    if frame != end || clock.line.jumps != jumps || !(bars == self.bars) { seek(clock.line, bars, frame) }
    end = frame &+ Int64(frames)
    while true {
      let due = clock.line.frame(of: bars.place(of: next))
      if due >= end { return }
      strokes.begin(
        at: max(due, frame), gain: amplitude(decibels: knobs.level), isAccent: bars.place(inBar: next) == 0,
        pair: pair, isRecorded: knobs.record >= 0.5)
      next &+= 1
    }
  }

  /// Finds the next beat of the line from a frame on.
  @_noLocks
  private mutating func seek(_ line: BeatLine, _ bars: Meter, _ frame: Int64) {
    (jumps, self.bars) = (line.jumps, bars)
    next = bars.beat(at: line.beat(at: frame))
    while line.frame(of: bars.place(of: next)) < frame { next &+= 1 }
  }

  /// Gives the block that begins at a frame to recordings, and adds the strokes to its outputs.
  @_noLocks
  mutating func add(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ further: ExtraOutputs,
    _ ring: AudioRing, first: Int64, frames: Int
  ) {
    if strokes.isEmpty { return ring.write(l, r, frames: frames) }
    if strokes.isRecorded {
      record(l, r, ring, first: first, frames: frames)
    } else {
      ring.write(l, r, frames: frames)
    }
    let pairs = further.pairs
    strokes.add(pair: 0, of: pairs, to: l, r, first: first, frames: frames)
    var pair = 1
    while pair < pairs {
      strokes.add(
        pair: pair, of: pairs, to: further.left(pair), further.right(pair), first: first, frames: frames)
      pair &+= 1
    }
    strokes.end(before: first &+ Int64(frames))
  }

  /// Gives a block with the strokes to recordings.
  @_noLocks
  private func record(
    _ l: UnsafePointer<Float>, _ r: UnsafePointer<Float>, _ ring: AudioRing, first: Int64, frames: Int
  ) {
    var done = 0
    while done < frames {
      let count = min(frames &- done, Limits.period)
      var i = 0
      while i < count {
        (left[i], right[i]) = (l[done &+ i], r[done &+ i])
        i &+= 1
      }
      strokes.add(pair: -1, of: 1, to: left, right, first: first &+ Int64(done), frames: count)
      ring.write(left, right, frames: count)
      done &+= count
    }
  }
}
