import CRealtime
import Scenes

/// The signals at the two microphones of a rotary speaker, from tick to tick: the delay of the horn at each of them,
/// and the levels of horn and drum.
///
/// The mouth of the horn moves on a circle with the radius r, and the microphones are at the distance m from its
/// centre, at the same angle to either side. With an angle of a between horn and microphone, the path of the sound is
/// √(r² + m² - 2rm·cos a) long. Within a tick the delay is a parabola: straight lines would give a tone of 3 kHz
/// images of -73 dB at twice the fast speed, by computation. The drum's delay is constant, the mean of the horn's,
/// because at its frequencies the level counts.
struct RotaryMicrophones {
  // Four frames of a tick are read around the same middle between two samples: `wholes` holds the whole samples of the
  // delay, as the bits of an integer, and `offsets` the distance from the middle, both for the left and then for the
  // right microphone.
  private let wholes: UnsafeMutablePointer<Float>
  private let offsets: UnsafeMutablePointer<Float>
  // The delay of the horn in frames at the end of the tick, and its increments per frame and per square of a frame.
  private var delay = SIMD2<Float>.zero
  private var slope = SIMD2<Float>.zero
  private var curve = SIMD2<Float>.zero
  /// The gains of the horn, left and right, and of the drum, left and right.
  private(set) var gains = TickRamp()
  // The angle between the microphones and the balance of the horn, after two stages of smoothing, and after the first.
  private var position = SIMD2<Float>.zero
  private var near = SIMD2<Float>.zero
  private let framesPerMetre: Float

  /// Floats of memory needed.
  static var memory: Int { 16 }
  /// The longest delay of the horn in seconds.
  static var longest: Float { 2 * radius / soundSpeed }
  /// The delay of the drum in seconds, without `shortest`.
  static var drum: Float { (0.442 - nearest) / soundSpeed }
  /// The shortest delay in frames that interpolation with six points can read.
  static var shortest: Float { @_noLocks get { 4 } }

  // Metres, and metres per second.
  private static var radius: Float { @_noLocks get { 0.192 } }
  private static var distance: Float { @_noLocks get { 0.42 } }
  private static var nearest: Float { @_noLocks get { distance - radius } }
  private static var soundSpeed: Float { @_noLocks get { 343 } }
  /// Time constant of each stage in seconds: moved microphones bend the pitch.
  private static var moveSeconds: Float { @_noLocks get { 0.05 } }

  init(_ memory: UnsafeMutablePointer<Float>, rate: Float) {
    (wholes, offsets, framesPerMetre) = (memory, memory + 8, rate / Self.soundSpeed)
  }

  // MARK: - Knobs

  /// Jumps to the knobs and to the rotors.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<RotaryKnobs>, _ rotors: Rotors) {
    near = Self.goal(knobs)
    position = near
    let cosines = cosines(rotors)
    delay = delays(cosines).highHalf.lowHalf
    gains.rest(at: gains(cosines))
  }

  /// Aims at the positions of the rotors at the end of the next `frames`, which last `seconds`.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<RotaryKnobs>, _ rotors: Rotors, frames: Int, seconds: Float
  ) {
    let share = seconds / Self.moveSeconds
    near += (Self.goal(knobs) - near) * share
    position += (near - position) * share
    let cosines = cosines(rotors)
    gains.aim(at: gains(cosines), frames: frames)
    let delays = delays(cosines)
    let (begin, between, end) = (delay, delays.highHalf.highHalf, delays.highHalf.lowHalf)
    let perFrame = 1 / Float(frames)
    let fourfold = 4 * between
    slope = (fourfold - 3 * begin - end) * perFrame
    curve = (2 * (begin + end) - fourfold) * (perFrame * perFrame)
    delay = end
    // Correct in the middle of each four frames; the delay changes by less than a quarter of a frame meanwhile.
    let from = Self.sides(begin - 0.5)
    let middle = Lanes(1.5, 5.5, 9.5, 13.5, 1.5, 5.5, 9.5, 13.5)
    // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
    let moved = (Self.sides(slope) + Self.sides(curve) * middle) * middle
    let whole = from + moved + 12_582_912
    wholes.eight = lanes(bits(whole) &- 0x4b40_0000)
    offsets.eight = from - (whole - 12_582_912)
  }

  /// The positions of the knobs.
  @_noLocks @inline(__always)
  private static func goal(_ knobs: UnsafePointer<RotaryKnobs>) -> SIMD2<Float> {
    SIMD2(max(0, min(knobs.pointee.spread, 1)), max(0, min(knobs.pointee.horn, 1)))
  }

  /// A number for four elements each of the left and of the right side.
  @_noLocks @inline(__always)
  private static func sides(_ x: SIMD2<Float>) -> Lanes {
    Lanes(lowHalf: Quad(repeating: x.x), highHalf: Quad(repeating: x.y))
  }

  /// The cosines of the angles between the left and the right microphone and a rotor: the drum in the first two
  /// elements, the horn in the fifth and sixth, and the horn in the middle of the tick in the last two.
  @_noLocks @inline(__always)
  private func cosines(_ rotors: Rotors) -> Lanes {
    // At most a quarter of a turn to either side.
    let away = rt_whole_number(position.x * 1_073_741_824)
    let (drum, horn, between) = (rotors.drum, rotors.horn, rotors.hornBetween)
    let angles = Phases(
      drum &- away, drum &+ away, 0, 0, horn &- away, horn &+ away, between &- away, between &+ away)
    return sinePi(numbers(angles &+ 1_073_741_824) * (1 / 2_147_483_648))
  }

  /// Delays in frames; only those of the horn are valid.
  @_noLocks @inline(__always)
  private func delays(_ cosines: Lanes) -> Lanes {
    let (r, m) = (Self.radius, Self.distance)
    let way = root((r * r + m * m) - cosines * (2 * r * m))
    return (way - Self.nearest) * framesPerMetre + Self.shortest
  }

  /// The horn is 11 dB louder in front than behind, and the drum 6 dB. Averaged over a turn, both have the power of
  /// their input.
  @_noLocks @inline(__always)
  private func gains(_ cosines: Lanes) -> SIMD8<Float> {
    let balance = 2 * position.y
    let horn = (cosines.highHalf.lowHalf * 0.521 + 0.930) * Self.share(balance)
    let drum = (cosines.lowHalf.lowHalf * 0.3244 + 0.9733) * Self.share(2 - balance)
    return SIMD8(lowHalf: SIMD4(lowHalf: horn, highHalf: drum), highHalf: .zero)
  }

  /// The gain of the horn or the drum for its side of the balance, 1 from 1 on, without a corner there.
  @_noLocks @inline(__always)
  private static func share(_ side: Float) -> Float {
    let x = min(side, 1)
    return x * (2 - x)
  }

  // MARK: - Sound

  /// The horn at the left or the right microphone, 0 or 1, without its gain: four frames from frame `offset` of the tick
  /// on, a multiple of four. `frame` holds the numbers of these frames, and `tick` is the first frame of the tick.
  @_noLocks @inline(__always)
  func horn(_ side: Int, _ rings: PairRings, tick: Int, _ offset: Int, _ frame: Quad) -> Quad {
    let four = offset / 4 &+ 4 &* side
    let whole = Int(Int32(bitPattern: wholes[four].bitPattern))
    let tilt = multiplyAdd(frame, Quad(repeating: curve[side]), Quad(repeating: slope[side]))
    let points = SixPoints(multiplyAdd(frame, tilt, Quad(repeating: offsets[four])))
    return points.between(rings.delayed(by: whole &+ 3, of: 1, at: tick &+ offset))
  }
}
