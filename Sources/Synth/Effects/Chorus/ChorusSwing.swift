/// The lines of a chorus in one mode: how late each of them is, and how that swings.
///
/// I and II are the Juno-60's as J. P. Cimalando and A. Harman measured them: one line a side, swinging in a triangle, so that
/// the pitch is constant between its turns, and the second against the first. Both buttons together are fast and shallow. An
/// ensemble has three lines, a third of a turn apart, that swing slowly and fast at once, as in string machines: one of each
/// side, and one of the middle that both sides hear.
struct ChorusSwing {
  // Frames that each line is late at the beginning of a tick, and what is added at every frame. A line is read around the
  // middle between two samples: behind which one, as the bits of a whole number, and how far from the middle at the beginning
  // of the tick, for the first eight frames of it and for the others.
  private let late: UnsafeMutablePointer<Float>
  let steps: UnsafeMutablePointer<Float>
  let places: UnsafeMutablePointer<Float>
  let offsets: UnsafeMutablePointer<Float>
  private(set) var mode = ChorusMode.one
  // Where the slow and the fast swing are; the whole range is one turn.
  private var slow: Int32 = 0
  private var fast: Int32 = 0
  // Twice the frames around which it swings.
  private(set) var twiceMiddle = 0
  // How fast it is, and for how many frames it was aimed; and what follows from that: turns in a tick, the distance from a
  // turn in which a triangle is rounded, 1 over its square, and 1 over the frames.
  private var speed: Float = 0
  private var frames = 0
  private var slowStep: Int32 = 0
  private var fastStep: Int32 = 0
  private var bend: Float = 0
  private var bendSquared: Float = 0
  private var perFrame: Float = 0

  /// Samples of memory that it needs.
  static var memory: Int { 24 }
  /// The latest that a line gets, in seconds.
  static var longest: Float { 0.007 }
  /// Seconds that a triangle takes to turn: sharp corners are heard as clicks.
  private static var turnSeconds: Float { @_noLocks get { 0.007 } }

  /// Mode I.
  init(_ memory: UnsafeMutablePointer<Float>) {
    (late, steps, places, offsets) = (memory, memory + 4, memory + 8, memory + 16)
  }

  /// Whether it has a mode.
  @_noLocks
  func swings(as mode: ChorusMode) -> Bool { Self.number(self.mode) == Self.number(mode) }

  /// Begins a swing in a mode.
  @_noLocks
  mutating func arrive(_ mode: ChorusMode, depth: Float, rate: Float) {
    begin(mode, slow: 0, fast: 0, depth: depth, rate: rate)
  }

  @_noLocks
  private mutating func begin(_ mode: ChorusMode, slow: Int32, fast: Int32, depth: Float, rate: Float) {
    (self.mode, self.slow, self.fast) = (mode, slow, fast)
    twiceMiddle = Int(2 * Self.middle(mode) * rate)
    (speed, frames) = (1, Limits.controlFrames)
    find(rate: rate)
    late.four = lateness(depth: depth, rate: rate)
    steps.four = SIMD4<Float>.zero
  }

  /// Begins a mode where another one is.
  @_noLocks
  mutating func begin(_ mode: ChorusMode, like other: ChorusSwing, depth: Float, rate: Float) {
    begin(mode, slow: other.slow, fast: other.fast, depth: depth, rate: rate)
  }

  /// Swings on over the next `frames`, `speed` times as fast as the mode does, after `done` frames of the last tick.
  @_noLocks
  mutating func aim(speed: Float, depth: Float, rate: Float, done: Int, frames: Int) {
    if speed != self.speed || frames != self.frames {
      (self.speed, self.frames) = (speed, frames)
      find(rate: rate)
    }
    slow &+= slowStep
    fast &+= fastStep
    let begin = multiplyAdd(
      UnsafePointer(steps).four, SIMD4<Float>(repeating: Float(done)), UnsafePointer(late).four)
    let step = (lateness(depth: depth, rate: rate) - begin) * perFrame
    late.four = begin
    steps.four = step
    // In the middle of eight frames it is right: a line moves by less than a frame meanwhile.
    place(0, begin - 0.5, step * 3.5)
    place(4, begin - 0.5, step * 11.5)
  }

  @_noLocks @inline(never)
  private mutating func find(rate: Float) {
    let hertz = Self.hertz(mode) * speed
    let turn = hertz * Float(frames) / rate * 4_294_967_296
    (slowStep, fastStep) = (Int32(turn), Int32(turn * Self.fastRatio))
    bend = min(Self.turnSeconds * hertz, 0.25)
    (bendSquared, perFrame) = (1 / (bend * bend), 1 / Float(frames))
  }

  @_noLocks @inline(__always)
  private func place(_ at: Int, _ begin: SIMD4<Float>, _ toMiddle: SIMD4<Float>) {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits.
    let whole = begin + toMiddle + 12_582_912
    let number = unsafeBitCast(whole, to: SIMD4<UInt32>.self) &- 0x4b40_0000
    (places + at).four = unsafeBitCast(number, to: SIMD4<Float>.self)
    (offsets + at).four = begin - (whole - 12_582_912)
  }

  /// How late the lines are now, in frames.
  @_noLocks @inline(__always)
  private func lateness(depth: Float, rate: Float) -> SIMD4<Float> {
    let turns: Float = 1 / 2_147_483_648
    let (middle, most) = (0.5 * Float(twiceMiddle), Self.depth(mode) * depth * rate)
    if case .ensemble = mode {
      let thirds = SIMD4<Int32>(0, 1_431_655_765, -1_431_655_765, 0)
      let swing = sinePi(numbers(Phases(lowHalf: thirds &+ slow, highHalf: thirds &+ fast)) * turns)
      return (swing.lowHalf + swing.highHalf * 0.1) * most + middle
    }
    // How far from a turn, of a half; near one, the distance is rounded to where its slope does not jump, nor its bend.
    let place = (Float(slow) * turns).magnitude - 0.5
    var far = 0.5 - place.magnitude
    if far < bend {
      let square = far * far * bendSquared
      far = ((0.75 - 0.125 * square) * square + 0.375) * bend
    }
    let swing = (place < 0 ? far - 0.5 : 0.5 - far) * (2 * most)
    return SIMD4<Float>(swing, -swing, 0, 0) + middle
  }
}

/// What the modes are.
extension ChorusSwing {
  /// Swings a second; of the ensemble the slow ones.
  @_noLocks
  private static func hertz(_ mode: ChorusMode) -> Float {
    switch mode {
    case .one: 0.513
    case .two: 0.863
    case .both: 9.75
    case .ensemble: 0.6
    }
  }

  /// Fast swings of the ensemble for each slow one.
  private static var fastRatio: Float { @_noLocks get { 10 } }

  /// Seconds that a line swings to either side; in the ensemble slowly, and a tenth of it fast.
  @_noLocks
  private static func depth(_ mode: ChorusMode) -> Float {
    switch mode {
    case .one, .two: 0.0019
    case .both: 0.0002
    case .ensemble: 0.0015
    }
  }

  /// Seconds around which it swings.
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
