import Scenes

/// The modulated delays of a chorus in one mode.
///
/// Modes I and II are those of the Juno-60 as measured by J. P. Cimalando and A. Harman: one line per side, modulated
/// by a triangle, so that the pitch is constant between its turning points, with the two sides in antiphase. Both
/// buttons together give a fast and shallow modulation. The ensemble has three lines a third of a period apart with a
/// slow and a fast modulation, as in string machines: one for each side, and a middle one that both sides share.
struct ChorusSwing {
  // The delay of each line in frames at the beginning of a tick, and its increment per frame. A line is read around the
  // middle between two samples: `wholes` holds the whole samples of the delay, as the bits of an integer, and `offsets`
  // the distance from the middle at the beginning of the tick, for its first eight frames and for the others.
  private let delay: UnsafeMutablePointer<Float>
  let steps: UnsafeMutablePointer<Float>
  let wholes: UnsafeMutablePointer<Float>
  let offsets: UnsafeMutablePointer<Float>
  private(set) var mode = ChorusMode.one
  // Phases of the slow and the fast modulation; the range of the integer is one period.
  private var slow: Int32 = 0
  private var fast: Int32 = 0
  // Twice the delay in frames around which the lines are modulated.
  private(set) var twiceMiddle = 0
  // The speed and the number of frames that were aimed for, and values derived from them: periods per tick, the
  // distance from a turning point within which the triangle is rounded, the inverse of its square, and the inverse of
  // the number of frames.
  private var speed: Float = 0
  private var frames = 0
  private var slowStep: Int32 = 0
  private var fastStep: Int32 = 0
  private var rounding: Float = 0
  private var inverseRoundingSquared: Float = 0
  private var perFrame: Float = 0

  /// Floats of memory needed.
  static var memory: Int { 24 }
  /// The longest delay of a line in seconds.
  static var longest: Float { 0.007 }
  /// Seconds over which the triangle is rounded at a turning point, since sharp corners are audible as clicks.
  private static var turnSeconds: Float { @_noLocks get { 0.007 } }

  /// In mode I.
  init(_ memory: UnsafeMutablePointer<Float>) {
    (delay, steps, wholes, offsets) = (memory, memory + 4, memory + 8, memory + 16)
  }

  /// Whether the lines are modulated in the given mode.
  @_noLocks
  func swings(as mode: ChorusMode) -> Bool { Self.number(self.mode) == Self.number(mode) }

  /// Starts the modulation of a mode.
  @_noLocks
  mutating func snap(_ mode: ChorusMode, depth: Float, rate: Float) {
    begin(mode, slow: 0, fast: 0, depth: depth, rate: rate)
  }

  @_noLocks
  private mutating func begin(_ mode: ChorusMode, slow: Int32, fast: Int32, depth: Float, rate: Float) {
    (self.mode, self.slow, self.fast) = (mode, slow, fast)
    twiceMiddle = Int(2 * Self.middle(mode) * rate)
    (speed, frames) = (1, Limits.controlFrames)
    find(rate: rate)
    delay.four = delays(depth: depth, rate: rate)
    steps.four = SIMD4<Float>.zero
  }

  /// Starts a mode at the phases of another one.
  @_noLocks
  mutating func begin(_ mode: ChorusMode, like other: ChorusSwing, depth: Float, rate: Float) {
    begin(mode, slow: other.slow, fast: other.fast, depth: depth, rate: rate)
  }

  /// Continues the modulation over the next `frames`, at `speed` times the rate of the mode, after `done` frames of the
  /// last tick.
  @_noLocks
  mutating func aim(speed: Float, depth: Float, rate: Float, done: Int, frames: Int) {
    if speed != self.speed || frames != self.frames {
      (self.speed, self.frames) = (speed, frames)
      find(rate: rate)
    }
    slow &+= slowStep
    fast &+= fastStep
    let begin = multiplyAdd(
      UnsafePointer(steps).four, SIMD4<Float>(repeating: Float(done)), UnsafePointer(delay).four)
    let step = (delays(depth: depth, rate: rate) - begin) * perFrame
    delay.four = begin
    steps.four = step
    // Correct in the middle of each eight frames; the delay changes by less than a frame meanwhile.
    split(0, begin - 0.5, step * 3.5)
    split(4, begin - 0.5, step * 11.5)
  }

  @_noLocks @inline(never)
  private mutating func find(rate: Float) {
    let hertz = Self.hertz(mode) * speed
    let turn = hertz * Float(frames) / rate * 4_294_967_296
    (slowStep, fastStep) = (Int32(turn), Int32(turn * Self.fastRatio))
    rounding = min(Self.turnSeconds * hertz, 0.25)
    (inverseRoundingSquared, perFrame) = (1 / (rounding * rounding), 1 / Float(frames))
  }

  @_noLocks @inline(__always)
  private func split(_ at: Int, _ begin: SIMD4<Float>, _ toMiddle: SIMD4<Float>) {
    // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
    let whole = begin + toMiddle + 12_582_912
    let number = unsafeBitCast(whole, to: SIMD4<UInt32>.self) &- 0x4b40_0000
    (wholes + at).four = unsafeBitCast(number, to: SIMD4<Float>.self)
    (offsets + at).four = begin - (whole - 12_582_912)
  }

  /// The current delays of the lines in frames.
  @_noLocks @inline(__always)
  private func delays(depth: Float, rate: Float) -> SIMD4<Float> {
    let turns: Float = 1 / 2_147_483_648
    let (middle, most) = (0.5 * Float(twiceMiddle), Self.depth(mode) * depth * rate)
    if case .ensemble = mode {
      let thirds = SIMD4<Int32>(0, 1_431_655_765, -1_431_655_765, 0)
      let swing = sinePi(numbers(Phases(lowHalf: thirds &+ slow, highHalf: thirds &+ fast)) * turns)
      return (swing.lowHalf + swing.highHalf * 0.1) * most + middle
    }
    // Distance from a turning point, in half periods; near a turning point it is rounded so that neither its slope nor
    // its curvature jumps.
    let position = (Float(slow) * turns).magnitude - 0.5
    var far = 0.5 - position.magnitude
    if far < rounding {
      let square = far * far * inverseRoundingSquared
      far = ((0.75 - 0.125 * square) * square + 0.375) * rounding
    }
    let swing = (position < 0 ? far - 0.5 : 0.5 - far) * (2 * most)
    return SIMD4<Float>(swing, -swing, 0, 0) + middle
  }
}

/// Constants of the modes.
extension ChorusSwing {
  /// Rate of the modulation in hertz; for the ensemble, of the slow one.
  @_noLocks
  private static func hertz(_ mode: ChorusMode) -> Float {
    switch mode {
    case .one: 0.513
    case .two: 0.863
    case .both: 9.75
    case .ensemble: 0.6
    }
  }

  /// Ratio of the ensemble's fast rate to its slow rate.
  private static var fastRatio: Float { @_noLocks get { 10 } }

  /// Depth of the modulation in seconds to either side; for the ensemble, of the slow one, and the fast one has a tenth
  /// of it.
  @_noLocks
  private static func depth(_ mode: ChorusMode) -> Float {
    switch mode {
    case .one, .two: 0.0019
    case .both: 0.0002
    case .ensemble: 0.0015
    }
  }

  /// Mean delay in seconds.
  @_noLocks
  private static func middle(_ mode: ChorusMode) -> Float {
    switch mode {
    case .one, .two: 0.0034
    case .both: 0.0035
    case .ensemble: 0.005
    }
  }

  @_noLocks
  private static func number(_ mode: ChorusMode) -> Int {
    switch mode {
    case .one: 0
    case .two: 1
    case .both: 2
    case .ensemble: 3
    }
  }
}

// Reading the lines of a chorus, four frames at a time.

extension ChorusSwing {
  /// Reads all lines from frame `from` to frame `to` of a tick, and up to three frames before and after; `counted`
  /// holds 0, 1, 2 … The left side is written to `output`, the right one `Limits.controlFrames` after it.
  @_noLocks
  func read(
    _ rings: PairRings, tick: Int, from: Int, to: Int, counted: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let first = from & ~3
    let (left, right) = (output + first, output + (Limits.controlFrames &+ first))
    let n = counted + first
    guard case .ensemble = mode else {
      return readMirrored(rings, at: tick &+ first, first, to, n, left, right)
    }
    let middle = output + (2 &* Limits.controlFrames &+ first)
    read(0, rings, at: tick &+ first, first, to, n, left)
    read(1, rings, at: tick &+ first, first, to, n, right)
    read(2, rings, at: tick &+ first, first, to, n, middle)
    // With these gains, two different lines sound as loud as one.
    let (sides, both): (Float, Float) = (0.8, 0.6)
    var i = 0
    while first &+ i < to {
      let x = UnsafePointer(middle + i).four * both
      (left + i).four = (left + i).four * sides + x
      (right + i).four = (right + i).four * sides + x
      i &+= 4
    }
  }

  @_noLocks @inline(never)
  private func read(
    _ line: Int, _ rings: PairRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[line])
    var i = 0
    while first &+ i < to {
      // Each eight frames of a tick have an entry for each of four lines.
      let index = ((first &+ i) & 8) / 2 &+ line
      let whole = Int(Int32(bitPattern: wholes[index].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[index])))
      (output + i).four = points.between(rings.delayed(by: whole &+ 3, of: line, at: at &+ i))
      i &+= 4
    }
  }

  /// Reads two lines modulated in antiphase around a delay of a whole or half number of samples, so that their
  /// fractional read positions always mirror each other.
  @_noLocks @inline(never)
  private func readMirrored(
    _ rings: PairRings, at: Int, _ first: Int, _ to: Int, _ counted: UnsafePointer<Float>,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    let step = SIMD4<Float>(repeating: steps[0])
    var i = 0
    while first &+ i < to {
      let index = ((first &+ i) & 8) / 2
      let whole = Int(Int32(bitPattern: wholes[index].bitPattern))
      let points = SixPoints(multiplyAdd((counted + i).four, step, SIMD4<Float>(repeating: offsets[index])))
      let other = twiceMiddle &- 1 &- whole
      (left + i).four = points.between(rings.delayed(by: whole &+ 3, of: 0, at: at &+ i))
      (right + i).four = points.mirrored(rings.delayed(by: other &+ 3, of: 1, at: at &+ i))
      i &+= 4
    }
  }
}
