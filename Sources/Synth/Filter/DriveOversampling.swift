import Scenes

/// The drive of eight voices at two or four times the sample rate: one or two half-band filters for upsampling, the
/// curve, and the same filters for downsampling. A deep drive has so many harmonics that antiderivative anti-aliasing
/// (`DriveSaturation`) alone does not keep them from aliasing.
///
/// A saw of up to 2 kHz aliases at -60 dB or less, up to 12 kHz: with a drive of up to 15 dB at twice the rate, where
/// 18 dB would alias at -57 dB, and with 24 dB at four times. The delay is 13 samples at both rates. The filters have
/// 23 taps, a sinc under a Kaiser window of 4.2, and 7 taps. With 15 taps in place of 23, the images of a saw's
/// treble would alias at -54 dB. Above 18 kHz a saw contains only aliases, which the curve would mix with its
/// harmonics at -58 dB: a low-pass of three taps before the curve lowers these by 3 dB, and 10 kHz by 1.1 dB.
struct DriveOversampling {
  /// The state of the filters from block to block, and the last inputs of the curve at lower rates, for the fades.
  private let kept: UnsafeMutablePointer<Lanes>

  /// Sizes in vectors: of the filters' state, and of the scratch memory.
  static var count: Int { @_noLocks get { plain &+ doubled &+ quadrupled &+ saturated &+ 4 } }
  static var scratch: Int { @_noLocks get { count &+ 9 &* Limits.controlFrames } }
  // Earlier samples that the filters read, at the plain rate, twice and four times that, and of the saturated samples
  // at twice the rate.
  private static var plain: Int { @_noLocks get { 11 } }
  private static var doubled: Int { @_noLocks get { 3 } }
  private static var quadrupled: Int { @_noLocks get { 6 } }
  private static var saturated: Int { @_noLocks get { 22 } }

  /// A drive whose state is in `kept`.
  @_noLocks
  init(_ kept: UnsafeMutablePointer<Lanes>) { self.kept = kept }

  /// The last input of the curve at the plain sample rate, for the fade from or to it.
  var last: UnsafeMutablePointer<Lanes> { @_noLocks get { kept + (Self.count &- 1) } }

  // The last input of the curve at twice the rate, while it runs at four times too.
  private var lastDoubled: UnsafeMutablePointer<Lanes> { @_noLocks get { kept + (Self.count &- 4) } }
  // The last two samples.
  private var inputs: UnsafeMutablePointer<Lanes> { @_noLocks get { kept + (Self.count &- 3) } }
  /// The last sample.
  var input: Lanes { @_noLocks get { inputs[1] } }

  private var keptDoubled: UnsafeMutablePointer<Lanes> { @_noLocks get { kept + Self.plain } }
  private var keptQuadrupled: UnsafeMutablePointer<Lanes> { @_noLocks get { keptDoubled + Self.doubled } }
  private var keptSaturated: UnsafeMutablePointer<Lanes> {
    @_noLocks get { keptQuadrupled + Self.quadrupled }
  }

  /// Starts the curve at four times the sample rate, in addition to twice that, for the fade.
  @_noLocks
  func beginFourfold(_ drive: UnsafeMutablePointer<DriveLanes>) {
    lastDoubled.pointee = drive.pointee.last
    drive.pointee.last = drive.pointee.last(after: keptDoubled[1])
    keptQuadrupled.update(repeating: .zero, count: Self.quadrupled)
  }

  /// Returns to twice the sample rate alone.
  @_noLocks
  func endFourfold(_ drive: UnsafeMutablePointer<DriveLanes>) { drive.pointee.last = lastDoubled.pointee }

  /// Processes some samples in place with the levels and the curve of a drive. `work` is scratch memory for the
  /// samples at each rate, each after those that are kept from the last call.
  /// - Parameter rate: whether the curve runs at four times the sample rate.
  @_noLocks
  func process(
    _ x: UnsafeMutablePointer<Lanes>, _ drive: UnsafeMutablePointer<DriveLanes>,
    _ work: UnsafeMutablePointer<Lanes>, _ rate: RateFade, _ part: BlockPart
  ) {
    var done = 0
    while done < part.frames {
      let count = min(part.frames &- done, Limits.controlFrames)
      processTick(
        x + done, drive, work, rate, BlockPart(part.planned, from: part.first &+ done, frames: count))
      done &+= count
    }
  }

  @_noLocks
  private func processTick(
    _ x: UnsafeMutablePointer<Lanes>, _ drive: UnsafeMutablePointer<DriveLanes>,
    _ work: UnsafeMutablePointer<Lanes>, _ rate: RateFade, _ part: BlockPart
  ) {
    let frames = part.frames
    let (one, two) = (work, work + (Self.plain &+ Limits.controlFrames))
    let four = two + (Self.doubled &+ 2 &* Limits.controlFrames)
    let down = four + (Self.quadrupled &+ 4 &* Limits.controlFrames)
    Self.copy(kept, to: one, Self.plain)
    dull(x, to: one + Self.plain, frames)
    Self.copy(keptDoubled, to: two, Self.doubled)
    Self.double(one, to: two + Self.doubled, frames)
    Self.copy(one + frames, to: kept, Self.plain)
    Self.copy(two + 2 &* frames, to: keptDoubled, Self.doubled)
    Self.copy(keptSaturated, to: down, Self.saturated)
    if rate.isOn {
      saturateFourfold(two, four, to: down + Self.saturated, drive, rate, part)
    } else {
      // The delay equals that of four times the rate.
      Self.copy(two, to: down + Self.saturated, 2 &* frames)
      drive.pointee.process(down + Self.saturated, frames: 2 &* frames, share: 0.5)
    }
    Self.halveAgain(down, to: x, frames)
    Self.copy(down + 2 &* frames, to: keptSaturated, Self.saturated)
  }

  /// The curve at four times the sample rate, and at twice while one fades to the other.
  @_noLocks @inline(never)
  private func saturateFourfold(
    _ two: UnsafeMutablePointer<Lanes>, _ four: UnsafeMutablePointer<Lanes>,
    to saturated: UnsafeMutablePointer<Lanes>, _ drive: UnsafeMutablePointer<DriveLanes>, _ rate: RateFade,
    _ part: BlockPart
  ) {
    var doubled = drive.pointee
    Self.copy(keptQuadrupled, to: four, Self.quadrupled)
    Self.quadruple(two, to: four + Self.quadrupled, 2 &* part.frames)
    drive.pointee.process(four + Self.quadrupled, frames: 4 &* part.frames, share: 0.25)
    Self.halve(four, to: saturated, 2 &* part.frames)
    Self.copy(four + 4 &* part.frames, to: keptQuadrupled, Self.quadrupled)
    if !rate.fades { return }
    doubled.last = lastDoubled.pointee
    doubled.process(two, frames: 2 &* part.frames, share: 0.5)
    lastDoubled.pointee = doubled.last
    var i = 0
    while i < 2 &* part.frames {
      let frame = Int32(truncatingIfNeeded: part.first &+ i / 2)
      let share = Lanes(repeating: rate.share(at: frame, of: Int32(truncatingIfNeeded: part.planned)))
      saturated[i] = multiplyAdd(share, saturated[i] - two[i], two[i])
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func copy(
    _ from: UnsafeMutablePointer<Lanes>, to x: UnsafeMutablePointer<Lanes>, _ count: Int
  ) {
    var i = 0
    while i < count {
      x[i] = from[i]
      i &+= 1
    }
  }

  // MARK: - Filters

  // Taps of the half-band filter between the rates of 1 and 2, from the outermost to the centre, which is a half.
  private static var taps: SIMD8<Float> {
    @_noLocks @inline(__always) get {
      SIMD8(-0.002154007, 0.008118035, -0.020103479, 0.042883949, -0.092465432, 0.313720933, 0, 0)
    }
  }

  /// The sum of twelve samples under the 23 taps, with a step between them: a gain of half.
  @_noLocks @inline(__always)
  private static func twelve(_ x: UnsafeMutablePointer<Lanes>, _ step: Int) -> Lanes {
    var sum = (x[0] + x[11 &* step]) * taps[0]
    sum = multiplyAdd(x[step] + x[10 &* step], Lanes(repeating: taps[1]), sum)
    sum = multiplyAdd(x[2 &* step] + x[9 &* step], Lanes(repeating: taps[2]), sum)
    sum = multiplyAdd(x[3 &* step] + x[8 &* step], Lanes(repeating: taps[3]), sum)
    sum = multiplyAdd(x[4 &* step] + x[7 &* step], Lanes(repeating: taps[4]), sum)
    return multiplyAdd(x[5 &* step] + x[6 &* step], Lanes(repeating: taps[5]), sum)
  }

  /// The sum of four samples under the 7 taps, with a step between them: a gain of half.
  @_noLocks @inline(__always)
  private static func four(_ x: UnsafeMutablePointer<Lanes>, _ step: Int) -> Lanes {
    multiplyAdd(x[step] + x[2 &* step], Lanes(repeating: 9 / 32), (x[0] + x[3 &* step]) * (-1 / 32))
  }

  // The outer taps of the low-pass before the curve.
  private static var side: Float { @_noLocks get { 0.08 } }

  /// Filters the samples with the low-pass before the curve, which delays them by one sample.
  @_noLocks @inline(__always)
  private func dull(_ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var (before, now) = (inputs[0], inputs[1])
    var i = 0
    while i < frames {
      let next = x[i]
      y[i] = multiplyAdd(now, Lanes(repeating: 1 - 2 * Self.side), (before + next) * Self.side)
      (before, now) = (now, next)
      i &+= 1
    }
    (inputs[0], inputs[1]) = (before, now)
  }

  /// Doubles the sample rate; `x` begins with the eleven samples before the frames.
  @_noLocks @inline(never)
  private static func double(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      y[2 &* i] = 2 * twelve(x + i, 1)
      y[2 &* i &+ 1] = x[i &+ 6]
      i &+= 1
    }
  }

  /// Doubles the sample rate again; `x` begins with the three samples before the frames.
  @_noLocks @inline(never)
  private static func quadruple(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      y[2 &* i] = 2 * four(x + i, 1)
      y[2 &* i &+ 1] = x[i &+ 2]
      i &+= 1
    }
  }

  /// Halves the sample rate; `x` begins with the six samples before the frames.
  @_noLocks @inline(never)
  private static func halve(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      let z = x + 2 &* i
      y[i] = multiplyAdd(z[3], Lanes(repeating: 0.5), four(z, 2))
      i &+= 1
    }
  }

  /// Halves the sample rate again; `x` begins with the 22 samples before the frames.
  @_noLocks @inline(never)
  private static func halveAgain(
    _ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      let z = x + 2 &* i
      y[i] = multiplyAdd(z[12], Lanes(repeating: 0.5), twelve(z + 1, 2))
      i &+= 1
    }
  }

  // MARK: - State

  /// Copies the filters' state to other memory.
  @_noLocks
  static func copy(_ kept: UnsafeMutablePointer<Lanes>, to other: UnsafeMutablePointer<Lanes>) {
    copy(kept, to: other, count)
  }

  /// Clears the filters' state of all lanes.
  @_noLocks
  static func clear(_ kept: UnsafeMutablePointer<Lanes>) {
    var i = 0
    while i < count {
      kept[i] = .zero
      i &+= 1
    }
  }

  /// Clears the filters' state of one lane.
  @_noLocks
  static func clear(_ kept: UnsafeMutablePointer<Lanes>, _ lane: Int) {
    var i = 0
    while i < count {
      kept[i][lane] = 0
      i &+= 1
    }
  }
}
