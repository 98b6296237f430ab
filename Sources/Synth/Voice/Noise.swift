import CRealtime

/// The noise of eight voices: white, and coloured by one knob from brown over pink to white and on to violet.
///
/// Pink is a sum of four one-poles, within 0.14 dB of -3.01 dB an octave from 20 Hz to 20 kHz at 48 kHz (the fit is for
/// that rate; poles are moved for others). Brown is a one-pole at 20 Hz: an integrator would walk. Violet is white less
/// the white before.
struct NoiseLanes {
  var words = LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x27d4_eb2f
  var level = Ramp()
  private var pink1 = Lanes.zero
  private var pink2 = Lanes.zero
  private var pink3 = Lanes.zero
  private var pink4 = Lanes.zero
  private var brown = Lanes.zero
  private var last = Lanes.zero
  // How loud each colour is where each lane has its own.
  private var brownShare = Ramp()
  private var pinkShare = Ramp()
  private var whiteShare = Ramp()
  private var violetShare = Ramp()

  /// How loud each colour is, so that all are as loud as white: brown, pink, white, violet.
  struct Mix {
    var brown: Float = 0
    var pink: Float = 0
    var white: Float = 1
    var violet: Float = 0

    /// The mix for a colour: -1 brown, -0.5 pink, 0 white, 1 violet; between them a fade of equal power.
    @_noLocks
    init(color: Float) {
      if color == 0 { return }
      if color > 0 {
        (white, violet) = (rt_sqrt(1 - color), Self.violetGain * rt_sqrt(color))
      } else if color > -0.5 {
        let share = -2 * color
        (white, pink) = (rt_sqrt(1 - share), Self.pinkGain * rt_sqrt(share))
      } else {
        let share = min(-2 * color - 1, 1)
        (white, pink, brown) = (0, Self.pinkGain * rt_sqrt(1 - share), Self.brownGain * rt_sqrt(share))
      }
    }

    // What brings them to the power of white, measured at 48 kHz.
    fileprivate static var pinkGain: Float { @_noLocks get { 0.256 } }
    fileprivate static var brownGain: Float { @_noLocks get { 25.8 } }
    fileprivate static var violetGain: Float { @_noLocks get { 0.707106781 } }
  }

  /// Adds it to one block, or to two that are left and right; `isMoving` when each lane has a colour of its own.
  @_noLocks
  mutating func add(
    to x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ mix: Mix, isMoving: Bool,
    rate: Float,
    frames: Int
  ) {
    if mix.white == 1, !isMoving {
      var i = 0
      while i < frames {
        words = scrambled(words)
        put(noise(words), x, y, i)
        i &+= 1
      }
      return
    }
    let poles = Self.poles(rate)
    let one = SIMD4<Float>(repeating: 1)
    // The gains belong to the poles at 48 kHz: a pole nearer to 1 adds up more.
    let gains =
      SIMD4<Float>(0.118462, 0.205292, 0.49979, 1.255047) * (one - poles) / (one - Self.polesAt48000)
    let fall = min(1, 2 * Float.pi * 20 / rate)
    var i = 0
    while i < frames {
      words = scrambled(words)
      let white = noise(words)
      pink1 = multiplyAdd(pink1, Lanes(repeating: poles[0]), white * gains[0])
      pink2 = multiplyAdd(pink2, Lanes(repeating: poles[1]), white * gains[1])
      pink3 = multiplyAdd(pink3, Lanes(repeating: poles[2]), white * gains[2])
      pink4 = multiplyAdd(pink4, Lanes(repeating: poles[3]), white * gains[3])
      brown += (white - brown) * fall
      let (pink, violet) = (pink1 + pink2 + (pink3 + pink4), white - last)
      last = white
      if isMoving {
        put(colored(white, pink, violet), x, y, i)
      } else {
        var sum = white * mix.white + violet * mix.violet
        sum += pink * mix.pink
        sum += brown * mix.brown
        put(sum, x, y, i)
      }
      i &+= 1
    }
  }

  /// The colours, each as loud as it is now.
  @_noLocks @inline(__always)
  private mutating func colored(_ white: Lanes, _ pink: Lanes, _ violet: Lanes) -> Lanes {
    var sum = white * whiteShare.value + violet * violetShare.value
    sum += pink * pinkShare.value
    sum += brown * brownShare.value
    whiteShare.move()
    violetShare.move()
    pinkShare.move()
    brownShare.move()
    return sum
  }

  /// Gives all lanes one mix.
  @_noLocks
  mutating func rest(at mix: Mix) {
    brownShare.rest(at: Lanes(repeating: mix.brown))
    pinkShare.rest(at: Lanes(repeating: mix.pink))
    whiteShare.rest(at: Lanes(repeating: mix.white))
    violetShare.rest(at: Lanes(repeating: mix.violet))
  }

  /// Aims at a colour for each lane, which those that start have at once.
  @_noLocks
  mutating func aim(atColor color: Lanes, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float) {
    let one = Lanes(repeating: 1)
    let violet = smaller(larger(color, Lanes.zero), one)
    let dark = smaller(larger(-2 * color, Lanes.zero), one)
    let brown = smaller(larger(-2 * color - 1, Lanes.zero), one)
    brownShare.aim(at: Mix.brownGain * Self.share(brown), starting, perFrame: perFrame)
    pinkShare.aim(at: Mix.pinkGain * Self.share(dark - brown), starting, perFrame: perFrame)
    whiteShare.aim(at: Self.share((one - violet) * (one - dark)), starting, perFrame: perFrame)
    violetShare.aim(at: Mix.violetGain * Self.share(violet), starting, perFrame: perFrame)
  }

  /// The root of a share of the power, which may be nothing.
  @_noLocks @inline(__always)
  private static func share(_ power: Lanes) -> Lanes {
    let least = Lanes(repeating: 1e-12)
    return select(root(larger(power, least)), Lanes.zero, where: power .> least)
  }

  @_noLocks @inline(__always)
  private mutating func put(
    _ value: Lanes, _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ i: Int
  ) {
    let s = level.value * value
    x[i] += s
    if x != y { y[i] += s }
    level.value += level.step
  }

  private static var polesAt48000: SIMD4<Float> {
    @_noLocks get { SIMD4(0.9970672, 0.9776131, 0.8619147, 0.3558372) }
  }

  @_noLocks
  private static func poles(_ rate: Float) -> SIMD4<Float> {
    if rate == 48_000 { return polesAt48000 }
    let (poles, power) = (polesAt48000, 48_000 / rate)
    return SIMD4(
      rt_exp2(power * rt_log2(poles[0])), rt_exp2(power * rt_log2(poles[1])),
      rt_exp2(power * rt_log2(poles[2])), rt_exp2(power * rt_log2(poles[3])))
  }

  /// Empties a lane.
  @_noLocks
  mutating func silence(_ lane: Int) {
    (pink1[lane], pink2[lane], pink3[lane], pink4[lane]) = (0, 0, 0, 0)
    (brown[lane], last[lane]) = (0, 0)
    level.jump(lane, to: 0)
  }
}
