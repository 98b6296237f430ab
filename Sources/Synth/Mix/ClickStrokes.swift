import CRealtime

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
