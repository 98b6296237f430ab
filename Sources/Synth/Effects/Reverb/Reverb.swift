import CRealtime
import Scenes

/// The reverb of a part: a feedback delay network of eight lines with an all-pass in each, after six all-passes per
/// side (J.-M. Jot, A. Chaigne, "Digital delay networks for designing artificial reverberators", AES 90, 1991). The
/// input all-passes multiply the echoes from the start; the lines, two thirds of a second long in all and half of
/// them modulated, make the tail even.
///
/// The reverb renders a whole control tick at a time, since every delay is longer than a tick. Delay lines are
/// processed along time, sixteen samples in a row; the damping is recursive and is processed across lines, one line per
/// lane. `aim` is called at every control tick, so splitting a tick into pieces does not change a bit of the output.
struct Reverb {
  // Delays in samples at 48 kHz: the lines of the largest room, their all-passes, and the input all-passes, left and
  // right.
  private static let lengths = [2_473, 2_767, 3_217, 3_571, 4_057, 4_409, 4_723, 5_101]
  private static let allPassLengths = [613, 701, 797, 887, 953, 1_049, 1_151, 1_277]
  private static let inputLengths = [113, 227, 443, 613, 89, 331, 127, 211, 461, 593, 97, 317]
  /// Gain of the early reflections, which bypass the lines so that the reverb responds at once.
  private static var early: Float { @_noLocks get { 0.35 } }
  private static var inputsPerSide: Int { @_noLocks get { 6 } }

  private var rings: DelayRings
  private var allPasses: DelayRings
  // The input all-passes and the pre-delays, left and right.
  private var inputs: DelayRings
  private var preDelays: DelayRings
  // Delays of the line all-passes, followed by those of the input all-passes; and their gains.
  private let delays: UnsafeMutablePointer<Int>
  private var diffusion: ReverbDiffusion
  // The samples of all rings.
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private var cleared = 0
  // One tick of each line.
  private let blocks: UnsafeMutablePointer<Float>
  var control: ReverbControl
  private var input = ReverbInput()

  /// A silent reverb for a sample rate.
  init(rate: Double) {
    func samples(_ lengths: [Int]) -> [Int] { lengths.map { Int((Double($0) * rate / 48_000).rounded()) } }
    let (lines, allPasses) = (samples(Self.lengths), samples(Self.allPassLengths))
    let inputs = samples(Self.inputLengths)
    let modulation = Int(Double(ReverbControl.mostModulation) * rate / 48_000) + 4
    let pre = Int((Double(ReverbKnobs.longestPreDelay) * rate).rounded(.up)) + Limits.controlFrames
    let sizes = [
      (count: lines.count, longest: (lines.max() ?? 0) + modulation),
      (count: allPasses.count, longest: allPasses.max() ?? 0),
      (count: inputs.count, longest: inputs.max() ?? 0), (count: 2, longest: pre),
    ]
    count = sizes.reduce(0) { $0 + DelayRings.memory($1.count, longest: $1.longest) }
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    var pointer = memory
    let rings = sizes.map { size -> DelayRings in
      defer { pointer += DelayRings.memory(size.count, longest: size.longest) }
      return DelayRings(pointer, count: size.count, longest: size.longest)
    }
    (self.rings, self.allPasses, self.inputs, preDelays) = (rings[0], rings[1], rings[2], rings[3])
    let delays = allPasses + inputs
    self.delays = .allocate(capacity: delays.count)
    for (index, delay) in delays.enumerated() { (self.delays + index).initialize(to: delay) }
    diffusion = ReverbDiffusion(delays, lines: allPasses.count, rate: Float(rate))
    let blocks = EightLines.count * Limits.controlFrames
    self.blocks = .allocate(capacity: blocks)
    self.blocks.initialize(repeating: 0, count: blocks)
    func eight(_ delays: [Int]) -> SIMD8<Float> {
      var eight = SIMD8<Float>.zero
      for (line, delay) in delays.enumerated() { eight[line] = Float(delay) }
      return eight
    }
    control = ReverbControl(lengths: eight(lines), allPasses: eight(allPasses), rate: rate)
  }

  func deallocate() {
    delays.deallocate()
    diffusion.deallocate()
    memory.deallocate()
    blocks.deallocate()
    control.deallocate()
  }

  /// Clears the next piece of memory; true when all of it is clear.
  @_noLocks
  mutating func clearPiece() -> Bool {
    let end = min(cleared &+ clearedAtOnce, count)
    while cleared < end {
      memory[cleared] = 0
      cleared &+= 1
    }
    if cleared < count { return false }
    cleared = 0
    control.damping.reset()
    diffusion.reset()
    input = ReverbInput()
    return true
  }

  // MARK: - Sound

  /// Replaces `left` and `right` by the reverb's output, for at most `Limits.controlFrames` frames within one tick.
  /// Both buffers must have space for a whole tick.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if control.passed == 0 { advance() }
    input.process(
      left, right, control.inputAndWidth, isOpen: control.isOpen, passed: control.passed,
      share: control.inputShare, frames: frames)
    let at = control.begun &+ control.passed
    diffuseInput(left, 0, at)
    diffuseInput(right, 1, at)
    inputs.keepInStep(at: at)
    preDelays.keepInStep(at: at)
    readLines(at)
    allPasses.keepInStep(at: at)
    feedBack(left, right, at, frames: frames)
    rings.keepInStep(at: at)
    control.passed &+= frames
  }

  @_noLocks @inline(__always)
  private mutating func advance() {
    diffusion.follow(control.damping.gains.decay)
    rings.advance()
    allPasses.advance()
    inputs.advance()
    preDelays.advance()
  }

  @_noLocks @inline(__always)
  private func block(_ index: Int) -> UnsafeMutablePointer<Float> {
    blocks + index &* Limits.controlFrames
  }

  /// Sends one side through its pre-delay and its six all-passes.
  @_noLocks @inline(__always)
  private func diffuseInput(_ samples: UnsafeMutablePointer<Float>, _ side: Int, _ at: Int) {
    preDelays.write(Tick(UnsafePointer(samples)), side, at: at)
    var x = Tick(preDelays.delayed(by: control.preDelay.now, of: side, at: at))
    if control.fades {
      x = control.faded(from: Tick(preDelays.delayed(by: control.preDelay.before, of: side, at: at)), to: x)
    }
    let first = side &* Self.inputsPerSide
    let (delays, gains) = (
      delays + (EightLines.count &+ first), diffusion.gains + (EightLines.count &+ first)
    )
    Self.pass(&x, inputs, first, delays[0], gains[0], at)
    Self.pass(&x, inputs, first &+ 1, delays[1], gains[1], at)
    Self.pass(&x, inputs, first &+ 2, delays[2], gains[2], at)
    Self.pass(&x, inputs, first &+ 3, delays[3], gains[3], at)
    Self.pass(&x, inputs, first &+ 4, delays[4], gains[4], at)
    Self.pass(&x, inputs, first &+ 5, delays[5], gains[5], at)
    x.store(samples)
  }

  /// A Schroeder all-pass: v = x + g·z, y = z - g·v, where z is v, delayed.
  @_noLocks @inline(__always)
  private static func pass(
    _ x: inout Tick, _ rings: DelayRings, _ ring: Int, _ delay: Int, _ gain: Float, _ at: Int
  ) {
    let gain = Lanes(repeating: gain)
    let z = Tick(rings.delayed(by: delay, of: ring, at: at))
    let v = Tick(multiplyAdd(gain, z.first, x.first), multiplyAdd(gain, z.second, x.second))
    rings.write(v, ring, at: at)
    x = Tick(multiplySubtract(gain, v.first, from: z.first), multiplySubtract(gain, v.second, from: z.second))
  }

  /// Reads all lines through their all-passes into the blocks. Unrolled, because a loop would keep more values alive
  /// than there are registers.
  @_noLocks @inline(__always)
  private mutating func readLines(_ at: Int) {
    readPair(0, at)
    readPair(2, at)
    readPair(4, at)
    readPair(6, at)
  }

  /// Reads a line and the next one, which is modulated. While the size changes, the lines are read at both lengths and
  /// cross-faded.
  @_noLocks @inline(__always)
  private mutating func readPair(_ line: Int, _ at: Int) {
    let gains = diffusion.gains
    var x = straight(line, Int(control.lengths[line]), at)
    if control.fades { x = faded(straight(line, Int(control.lengthsBefore[line]), at), x) }
    Self.pass(&x, allPasses, line, delays[line], gains[line], at)
    x.store(block(line))
    let next = line &+ 1
    x = modulated(next, Int(control.lengths[next]), at)
    if control.fades { x = faded(modulated(next, Int(control.lengthsBefore[next]), at), x) }
    Self.pass(&x, allPasses, next, delays[next], gains[next], at)
    x.store(block(next))
  }

  @_noLocks @inline(never)
  private mutating func faded(_ from: Tick, _ to: Tick) -> Tick { control.faded(from: from, to: to) }

  @_noLocks @inline(__always)
  private func straight(_ line: Int, _ length: Int, _ at: Int) -> Tick {
    Tick(rings.delayed(by: length, of: line, at: at))
  }

  @_noLocks @inline(__always)
  private func modulated(_ line: Int, _ length: Int, _ at: Int) -> Tick {
    let index = line &>> 1
    let whole = UnsafeRawPointer(control.weights + 5).assumingMemoryBound(to: Int32.self)[index]
    return Self.readModulated(
      rings.delayed(by: length &+ Int(whole) &+ 2, of: line, at: at),
      UnsafeRawPointer(control.weights).assumingMemoryBound(to: Float.self) + index,
      Float(control.modulationPassed &+ control.passed))
  }

  /// Reads between samples by cubic (Lagrange) interpolation of four samples. The weights were computed some frames
  /// ago, and since then they change along their slope. Not inlined, because inlined it is compiled lane by lane.
  @_noLocks @inline(never)
  private static func readModulated(
    _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, _ passed: Float
  ) -> Tick {
    let offset: Lanes = (Lanes.counting + passed) * w[16]
    return Tick(between(x, w, offset), between(x + Limits.lanesPerGroup, w, offset + 8 * w[16]))
  }

  @_noLocks @inline(__always)
  private static func between(_ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, _ offset: Lanes) -> Lanes
  {
    let (a, b, c, d): (Lanes, Lanes, Lanes, Lanes) = (x.eight, (x + 1).eight, (x + 2).eight, (x + 3).eight)
    let (before, behind): (Lanes, Lanes) = (a * w[0] + b * w[4], c * w[8] + d * w[12])
    let (slope, further): (Lanes, Lanes) = (a * w[24] + b * w[28], c * w[32] + d * w[36])
    return before + behind + (slope + further) * offset
  }

  // MARK: - Feedback

  /// Damps the outputs of the lines, mixes them into both sides, and feeds all lines back into all lines: four frames
  /// at a time, which stay in registers throughout.
  @_noLocks @inline(__always)
  private mutating func feedBack(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ at: Int, frames: Int
  ) {
    let (width, widthStep) = (control.inputAndWidth.value[1], control.inputAndWidth.step[1])
    let half = Self.early * 0.5
    var frame: Quad = Quad(0, 1, 2, 3) + Float(control.passed)
    var i = 0
    while i < Limits.controlFrames {
      var x = EightLines(lines: UnsafePointer(blocks) + i)
      control.damping.process(&x, at: control.passed &+ i, count: frames &- i)
      let (left, right): (Quad, Quad) = ((l + i).four, (r + i).four)
      let (earlyMiddle, earlySide): (Quad, Quad) = ((left + right) * half, (left - right) * half)
      let middle: Quad = x.a + x.d + (x.e + x.h) + earlyMiddle
      let sides: Quad = x.b + x.c - (x.f + x.g) + earlySide
      let side: Quad = sides * (frame * widthStep + width)
      (l + i).four = middle + side
      (r + i).four = middle - side
      x.scatter()
      x.feed(left * EightLines.share, right * EightLines.share)
      rings.write(x, at: at &+ i)
      frame += 4
      i &+= 4
    }
  }
}

/// The input stage of the reverb: a high-pass that removes DC, which would otherwise stay in the lines for ever, and
/// the gain that closes the input during a freeze.
struct ReverbInput {
  private var highPass = StereoHighPass()

  /// Silent.
  @_noLocks init() {}

  /// Processes `frames` of a tick in place, `passed` frames after its beginning. The buffers must have space for a
  /// whole tick. `share` is the one-pole coefficient of the high-pass.
  @_noLocks @inline(__always)
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ inputAndWidth: NumberRamp,
    isOpen: Bool, passed: Int, share: Float, frames: Int
  ) {
    highPass.process(l, r, to: l, r, share: share, frames: frames)
    if isOpen { return }
    var frame: Quad = Quad(0, 1, 2, 3) + Float(passed)
    let (gain, step) = (inputAndWidth.value[0], inputAndWidth.step[0])
    var i = 0
    while i < Limits.controlFrames {
      let open: Quad = frame * step + gain
      (l + i).four = (l + i).four * open
      (r + i).four = (r + i).four * open
      frame += 4
      i &+= 4
    }
  }
}
