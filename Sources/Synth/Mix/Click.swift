import CRealtime
import Scenes

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

/// The sounding strokes of the click. Each is defined by its first frame, so it does not depend on the blocks.
struct ClickStrokes {
  private struct Stroke {
    /// Its first frame.
    var frame: Int64
    var gain: Float
    var isAccent: Bool
    /// The pair of outputs that it began on, and whether recordings contain it.
    var pair: Int
    var isRecorded: Bool

    @_noLocks
    init(frame: Int64, gain: Float, isAccent: Bool, pair: Int, isRecorded: Bool) {
      (self.frame, self.gain, self.isAccent) = (frame, gain, isAccent)
      (self.pair, self.isRecorded) = (pair, isRecorded)
    }
  }

  private let sound: ClickSound
  private let strokes: UnsafeMutablePointer<Stroke>
  private var count = 0

  /// Strokes that sound within one block, at most. A clock of 1000 beats a minute needs 7 in the longest block.
  private static var most: Int { @_noLocks get { 32 } }

  init(rate: Double) {
    sound = ClickSound(rate: rate)
    strokes = .allocate(capacity: ClickStrokes.most)
    strokes.initialize(
      repeating: Stroke(frame: 0, gain: 0, isAccent: false, pair: 0, isRecorded: false),
      count: ClickStrokes.most)
  }

  func deallocate() {
    sound.deallocate()
    strokes.deallocate()
  }

  /// True when no stroke sounds.
  var isEmpty: Bool { @_noLocks get { count == 0 } }

  /// Whether recordings contain a stroke that sounds.
  var isRecorded: Bool {
    @_noLocks get {
      var index = 0
      while index < count {
        if strokes[index].isRecorded { return true }
        index &+= 1
      }
      return false
    }
  }

  /// Begins a stroke at a frame; ignored when too many sound.
  @_noLocks
  mutating func begin(at frame: Int64, gain: Float, isAccent: Bool, pair: Int, isRecorded: Bool) {
    if count == Self.most { return }
    strokes[count] = Stroke(
      frame: frame, gain: gain, isAccent: isAccent, pair: pair, isRecorded: isRecorded)
    count &+= 1
  }

  /// Adds the strokes of the outputs `pair` to a block that begins at `first`; -1 for all that recordings contain. The
  /// sum stays within full scale.
  @_noLocks
  func add(
    pair: Int, of pairs: Int, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    first: Int64, frames: Int
  ) {
    var index = 0
    while index < count {
      let stroke = strokes[index]
      let output = stroke.pair < pairs ? stroke.pair : 0
      if pair < 0 ? stroke.isRecorded : output == pair {
        let samples = sound[stroke.isAccent]
        var i = max(0, Int(stroke.frame &- first))
        let end = min(frames, Int(stroke.frame &- first) &+ sound.frames)
        while i < end {
          let click = samples[i &- Int(stroke.frame &- first)] * stroke.gain
          left[i] = max(-1, min(left[i] + click, 1))
          right[i] = max(-1, min(right[i] + click, 1))
          i &+= 1
        }
      }
      index &+= 1
    }
  }

  /// Forgets the strokes that have ended before a frame.
  @_noLocks
  mutating func end(before frame: Int64) {
    var (index, kept) = (0, 0)
    while index < count {
      strokes[kept] = strokes[index]
      if strokes[index].frame &+ Int64(sound.frames) > frame { kept &+= 1 }
      index &+= 1
    }
    count = kept
  }
}

/// The samples of the click: a sine in an envelope that begins and ends smoothly, so that a stroke has no corners and
/// nothing in it lies near half the sample rate. The accent is an octave higher.
struct ClickSound {
  /// Length of a stroke in frames.
  let frames: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Frequencies of a beat and of the first beat of a bar, hertz.
  static let hertz = (beat: 880.0, accent: 1_760.0)
  /// Length of a stroke, and of its attack, seconds.
  static let seconds = 0.03
  static let attack = 0.002

  init(rate: Double) {
    frames = Int(ClickSound.seconds * rate)
    samples = .allocate(capacity: 2 * frames)
    samples.initialize(repeating: 0, count: 2 * frames)
    for (index, hertz) in [ClickSound.hertz.beat, ClickSound.hertz.accent].enumerated() {
      for frame in 0..<frames {
        let time = Double(frame) / rate
        let turns = (hertz * time).truncatingRemainder(dividingBy: 1)
        let sine = rt_sin(Float(2 * Double.pi * turns))
        samples[index * frames + frame] = sine * ClickSound.envelope(time)
      }
    }
  }

  func deallocate() { samples.deallocate() }

  /// The samples of a stroke, whose peak is about 1.
  @_noLocks
  subscript(isAccent: Bool) -> UnsafePointer<Float> { UnsafePointer(samples + (isAccent ? frames : 0)) }

  /// Half a period of a raised cosine upwards, then the sixth power of a quarter downwards.
  private static func envelope(_ time: Double) -> Float {
    if time < attack {
      let sine = rt_sin(Float(Double.pi / 2 * time / attack))
      return sine * sine
    }
    let cosine = rt_cos(Float(Double.pi / 2 * (time - attack) / (seconds - attack)))
    let square = cosine * cosine
    return square * square * square
  }
}
