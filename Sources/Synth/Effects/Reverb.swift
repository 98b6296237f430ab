import CRealtime

/// A room: a feedback delay network of eight lines with an all-pass in each, behind six all-passes for either side
/// (J.-M. Jot, A. Chaigne, "Digital delay networks for designing artificial reverberators", AES 90, 1991). Those at the
/// input make many echoes at once; lines of two thirds of a second in all, half of which swing, make the tail even.
///
/// Rendered by control ticks, since every delay is longer than one: lines go across time, sixteen samples in a row; the
/// damping, which is recursive, goes by lanes, a line in each. `aim` comes at every control tick, so that cutting a tick
/// in pieces changes no bit.
struct Reverb {
  // Samples at 48 kHz: of the lines in the largest room and their all-passes, and of the input's, left and right.
  private static let lengths = [2_473, 2_767, 3_217, 3_571, 4_057, 4_409, 4_723, 5_101]
  private static let allPassLengths = [613, 701, 797, 887, 953, 1_049, 1_151, 1_277]
  private static let inputLengths = [113, 227, 443, 613, 89, 331, 127, 211, 461, 593, 97, 317]
  private static var diffusion: Float { @_noLocks get { 0.7 } }
  private static var lineDiffusion: Float { @_noLocks get { 0.55 } }
  /// Samples at 48 kHz that a line is longer by at most, while it swings.
  static var mostSwing: Float { @_noLocks get { 16 } }
  /// How much of the input is heard without the lines, so that the room answers at once.
  private static var early: Float { @_noLocks get { 0.35 } }
  /// Shares of the eight lines in one another: the inverse of √8.
  static var share: Float { @_noLocks get { 0.353553391 } }
  static var lines: Int { @_noLocks get { Limits.lanesPerGroup } }
  static var allPassRings: Int { @_noLocks get { 8 } }
  private static var inputRings: Int { @_noLocks get { 16 } }
  private static var preRings: Int { @_noLocks get { 28 } }

  /// A ring with the delay that it is read at.
  struct Line {
    let ring: DelayRing
    let delay: Int
  }

  // The lines, their all-passes, the input's all-passes left and right, the two pre-delays.
  let rings: UnsafeMutablePointer<Line>
  // All samples, which the rings share.
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private var forgotten = 0
  // A tick of each line, and of both sides; and the same by frames, a line in each lane.
  private let blocks: UnsafeMutablePointer<Float>
  private let turned: UnsafeMutablePointer<Lanes>
  /// Frames since the beginning.
  private var at = 0
  var control: ReverbControl
  // One-poles at 200 Hz and at 4 kHz of each line.
  private var low = Lanes.zero
  private var high = Lanes.zero
  // What of the inputs does not swing: now, what is added in every frame, and the sums of the tick under way.
  private var direct = SIMD2<Float>.zero
  private var directStep = SIMD2<Float>.zero
  private var sums = SIMD2<Float>.zero

  /// Delays at a sample rate, and the longest ones, in the order of the rings.
  private static func delays(_ rate: Double) -> [(delay: Int, longest: Int)] {
    let all = (lengths + allPassLengths + inputLengths).map { Int((Double($0) * rate / 48_000).rounded()) }
    let swing = Int(Double(mostSwing) * rate / 48_000) + 4
    let pre = Int((Double(ReverbKnobs.longestPreDelay) * rate).rounded(.up)) + DelayRing.guarded
    return all.enumerated().map { ($1, $0 < lines ? $1 + swing : $1) } + [(0, pre), (0, pre)]
  }

  /// A silent room at a sample rate.
  init(rate: Double) {
    let delays = Self.delays(rate)
    count = delays.reduce(0) { $0 + DelayRing.memory(longest: $1.longest) }
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    rings = .allocate(capacity: delays.count)
    var place = memory
    for (index, (delay, longest)) in delays.enumerated() {
      (rings + index).initialize(to: Line(ring: DelayRing(place, longest: longest), delay: delay))
      place += DelayRing.memory(longest: longest)
    }
    turned = .allocate(capacity: Limits.controlFrames)
    turned.initialize(repeating: .zero, count: Limits.controlFrames)
    let blocks = (Self.lines + 2) * Limits.controlFrames
    self.blocks = .allocate(capacity: blocks)
    self.blocks.initialize(repeating: 0, count: blocks)
    func eight(_ first: Int) -> SIMD8<Float> {
      var eight = SIMD8<Float>.zero
      for line in 0..<Self.lines { eight[line] = Float(delays[first + line].delay) }
      return eight
    }
    control = ReverbControl(lengths: eight(0), allPasses: eight(Self.allPassRings), rate: rate)
  }

  func deallocate() {
    rings.deallocate()
    memory.deallocate()
    turned.deallocate()
    blocks.deallocate()
    control.deallocate()
  }

  /// Clears a piece of its memory; true when nothing is left of what it has heard.
  @_noLocks
  mutating func forget() -> Bool {
    let end = min(forgotten &+ Rack.clearedAtOnce, count)
    while forgotten < end {
      memory[forgotten] = 0
      forgotten &+= 1
    }
    if forgotten < count { return false }
    (forgotten, low, high) = (0, .zero, .zero)
    (direct, directStep, sums) = (.zero, .zero, .zero)
    return true
  }

  // MARK: - Sound

  /// Makes the room's answer to `left` and `right` in their place, at most `Limits.controlFrames` frames within a tick; there
  /// has to be room for a whole tick in both.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    pass(left, right, frames)
    comeIn(left, rings + Self.inputRings, rings + Self.preRings)
    comeIn(right, rings + (Self.inputRings &+ 6), rings + (Self.preRings &+ 1))
    let gain = Lanes(repeating: Self.lineDiffusion)
    var line = 0
    while line < Self.lines {
      read(line)
      var x = Tick(UnsafePointer(block(line)))
      pass(&x, rings + (Self.allPassRings &+ line), gain)
      x.store(block(line))
      line &+= 1
    }
    EightLines.turn(lines: blocks, toFrames: turned)
    if control.moves { dampMoving(frames) } else { damp(frames) }
    EightLines.turn(frames: turned, toLines: blocks)
    var i = 0
    while i < Limits.controlFrames {
      mix(left + i, right + i, i)
      i &+= 4
    }
    line = 0
    while line < Self.lines {
      rings[line].ring.write(Tick(UnsafePointer(block(line))), at: at)
      line &+= 1
    }
    at &+= frames
    control.passed &+= frames
  }

  @_noLocks @inline(__always)
  private func block(_ index: Int) -> UnsafeMutablePointer<Float> {
    blocks + index &* Limits.controlFrames
  }

  /// The inputs without what does not swing, and as loud as they are let in: from one tick to the next a line goes to the
  /// mean of what came before, by a high-pass of 20 Hz.
  @_noLocks @inline(__always)
  private mutating func pass(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    if control.passed == 0 {
      let perTick = 1 / Float(Limits.controlFrames)
      direct += directStep * Float(Limits.controlFrames)
      directStep = (sums * perTick - direct) * (control.directShare * perTick)
      sums = .zero
    }
    var (l, r) = (sums.x, sums.y)
    var i = 0
    while i < frames {
      l += left[i]
      r += right[i]
      i &+= 1
    }
    sums = SIMD2(l, r)
    let (gain, step) = (control.sides.value[0], control.sides.step[0])
    var way: Quad = Quad(0, 1, 2, 3) + Float(control.passed)
    i = 0
    while i < Limits.controlFrames {
      let share: Quad = way * step + gain
      let (x, y): (Quad, Quad) = (way * directStep.x + direct.x, way * directStep.y + direct.y)
      (left + i).four = ((left + i).four - x) * share
      (right + i).four = ((right + i).four - y) * share
      way += 4
      i &+= 4
    }
  }

  /// A side through its pre-delay and its six all-passes.
  @_noLocks @inline(__always)
  private func comeIn(
    _ side: UnsafeMutablePointer<Float>, _ allPasses: UnsafeMutablePointer<Line>,
    _ pre: UnsafeMutablePointer<Line>
  ) {
    pre.pointee.ring.write(Tick(UnsafePointer(side)), at: at)
    var x = Tick(pre.pointee.ring.behind(control.preDelay.now, at: at))
    if control.fades {
      x = control.faded(from: Tick(pre.pointee.ring.behind(control.preDelay.before, at: at)), to: x)
    }
    let gain = Lanes(repeating: Self.diffusion)
    pass(&x, allPasses, gain)
    pass(&x, allPasses + 1, gain)
    pass(&x, allPasses + 2, gain)
    pass(&x, allPasses + 3, gain)
    pass(&x, allPasses + 4, gain)
    pass(&x, allPasses + 5, gain)
    x.store(side)
  }

  /// An all-pass of Schroeder's: v = x + g·z, y = z - g·v, where z is v, delayed.
  @_noLocks @inline(__always)
  private func pass(_ x: inout Tick, _ line: UnsafeMutablePointer<Line>, _ gain: Lanes) {
    let z = Tick(line.pointee.ring.behind(line.pointee.delay, at: at))
    let v = Tick(multiplyAdd(gain, z.first, x.first), multiplyAdd(gain, z.second, x.second))
    line.pointee.ring.write(v, at: at)
    x = Tick(multiplySubtract(gain, v.first, from: z.first), multiplySubtract(gain, v.second, from: z.second))
  }

  /// What comes out of a line, put into its block.
  @_noLocks @inline(__always)
  private func read(_ line: Int) {
    read(line, Int(control.lengths[line]), block(line))
    if !control.fades { return }
    // As large as the room was, less and less.
    let now = Tick(UnsafePointer(block(line)))
    read(line, Int(control.lengthsBefore[line]), block(line))
    control.faded(from: Tick(UnsafePointer(block(line))), to: now).store(block(line))
  }

  /// Every other line swings.
  @_noLocks @inline(__always)
  private func read(_ line: Int, _ length: Int, _ out: UnsafeMutablePointer<Float>) {
    let ring = rings[line].ring
    if line & 1 == 0 { return Tick(ring.behind(length, at: at)).store(out) }
    let swing = line &>> 1
    let whole = UnsafeRawPointer(control.weights + 5).assumingMemoryBound(to: Int32.self)[swing]
    Self.readSwinging(
      ring.behind(length &+ Int(whole) &+ 2, at: at),
      UnsafeRawPointer(control.weights).assumingMemoryBound(to: Float.self) + swing,
      Float(control.swingPassed &+ control.passed), out)
  }

  /// Reads between two samples, by a cubic through the four around them (Lagrange's), whose weights are those of some frames
  /// ago; since then, a straight line is followed. By itself, or compilers take it apart into lanes.
  @_noLocks @inline(never)
  private static func readSwinging(
    _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, _ passed: Float, _ out: UnsafeMutablePointer<Float>
  ) {
    let (a, b, c, d, e) = (w[0], w[4], w[8], w[12], w[16])
    var way: Quad = (Quad(0, 1, 2, 3) + passed) * e
    var i = 0
    while i < Limits.controlFrames {
      let (one, two): (Quad, Quad) = ((x + i).four, (x + (i &+ 1)).four)
      let (three, four): (Quad, Quad) = ((x + (i &+ 2)).four, (x + (i &+ 3)).four)
      let before: Quad = one * a + two * b
      let behind: Quad = three * c + four * d
      let slope: Quad = two - three
      (out + i).four = before + behind + slope * way
      way += 4 * e
      i &+= 4
    }
  }

  // MARK: - By lanes

  /// Frame by frame, since it is recursive: above the upper corner, between the two, and below the lower.
  @_noLocks @inline(__always)
  private mutating func damp(_ frames: Int) {
    var (low, high) = (low, high)
    let (lowShare, highShare) = (Lanes(repeating: control.lowShare), Lanes(repeating: control.highShare))
    let top = control.highGain.value
    let (middle, bottom) = (control.middleGain.value - top, control.lowGain.value - control.middleGain.value)
    var i = 0
    while i < frames {
      let x = turned[i]
      low = multiplyAdd(x - low, lowShare, low)
      high = multiplyAdd(x - high, highShare, high)
      turned[i] = multiplyAdd(top, x, multiplyAdd(middle, high, bottom * low))
      i &+= 1
    }
    (self.low, self.high) = (low, high)
  }

  /// The same while the gains move.
  @_noLocks @inline(never)
  private mutating func dampMoving(_ frames: Int) {
    var (low, high) = (low, high)
    let (lowShare, highShare) = (Lanes(repeating: control.lowShare), Lanes(repeating: control.highShare))
    var i = 0
    while i < frames {
      let (x, gone) = (turned[i], Lanes(repeating: Float(control.passed &+ i)))
      low = multiplyAdd(x - low, lowShare, low)
      high = multiplyAdd(x - high, highShare, high)
      let bottom = multiplyAdd(control.lowGain.step, gone, control.lowGain.value)
      let middle = multiplyAdd(control.middleGain.step, gone, control.middleGain.value)
      let top = multiplyAdd(control.highGain.step, gone, control.highGain.value)
      turned[i] = multiplyAdd(top, x, multiplyAdd(middle - top, high, (bottom - middle) * low))
      i &+= 1
    }
    (self.low, self.high) = (low, high)
  }

  /// Gives both sides theirs of four frames, and feeds all lines back to all.
  @_noLocks @inline(__always)
  private func mix(_ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ from: Int) {
    var x = EightLines(lines: UnsafePointer(blocks) + from)
    let way: Quad = Quad(0, 1, 2, 3) + Float(control.passed &+ from)
    let width: Quad = way * control.sides.step[1] + control.sides.value[1]
    let (left, right): (Quad, Quad) = (l.four, r.four)
    let middle: Quad = x.a + x.d + (x.e + x.h)
    let difference: Quad = x.b + x.c - (x.f + x.g)
    let side: Quad = difference * width
    l.four = left * Self.early + (middle + side)
    r.four = right * Self.early + (middle - side)
    x.scatter()
    x.feed(left * Self.share, right * Self.share)
    x.store(lines: blocks + from)
  }
}
