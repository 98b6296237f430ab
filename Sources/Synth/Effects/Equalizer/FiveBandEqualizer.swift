import CRealtime
import Scenes

/// The equalizer of a part: a low shelf, three bells and a high shelf in series.
struct FiveBandEqualizer {
  // The five bands, and both channels of a tick.
  private let bands: UnsafeMutablePointer<FiveBandSection>
  private let sound: UnsafeMutablePointer<SIMD2<Double>>
  private let rate: Double
  // Active bands, one bit each, and whether the coefficients of any band move.
  private var audible: UInt8 = 0
  private var moves = false
  // Frequencies of the bands and Q of the bells.
  private var glides = OctaveGlides()
  /// Whether all bands have reached their targets.
  var isSettled: Bool { @_noLocks @inline(__always) get { !moves && !glides.moves } }

  /// Number of bands.
  private static var count: Int { @_noLocks get { 5 } }

  /// A flat equalizer for a sample rate. Control thread only.
  init(rate: Double) {
    self.rate = rate
    bands = .allocate(capacity: Self.count)
    bands.initialize(repeating: FiveBandSection(), count: Self.count)
    sound = .allocate(capacity: Limits.controlFrames)
    sound.initialize(repeating: .zero, count: Limits.controlFrames)
  }

  /// Frees the memory. Control thread only.
  func deallocate() {
    bands.deallocate()
    sound.deallocate()
  }

  // MARK: - Knobs

  /// Jumps to the knobs and clears the state of the bands.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<FiveBandKnobs>) {
    glides.snap(Self.glides(knobs))
    for i in 0..<Self.count {
      bands[i].snap(Self.kind(i), Self.knobs(knobs, glides.value, i), rate: rate)
    }
    updateActive()
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<FiveBandKnobs>, _ chosen: UnsafePointer<FiveBandKnobs>, frames: Int
  ) {
    glides.aim(Self.glides(chosen), seconds: Float(frames) / Float(rate))
    for i in 0..<Self.count {
      let next = Self.knobs(knobs, glides.value, i)
      if bands[i].needs(next) { bands[i].aim(Self.kind(i), next, rate: rate, frames: frames) }
    }
    updateActive()
  }

  /// Updates which bands are active and whether any moves.
  @_noLocks
  private mutating func updateActive() {
    (audible, moves) = (0, false)
    for i in 0..<Self.count {
      if bands[i].isAudible { audible |= 1 &<< UInt8(truncatingIfNeeded: i) }
      moves = moves || bands[i].moves
    }
  }

  @_noLocks
  private static func kind(_ band: Int) -> FiveBandSection.Kind {
    band == 0 ? .lowShelf : band < 4 ? .bell : .highShelf
  }

  /// Frequency, gain in decibels and Q of a band.
  @_noLocks @inline(__always)
  private static func knobs(_ knobs: UnsafePointer<FiveBandKnobs>, _ glides: Lanes, _ band: Int) -> SIMD4<
    Float
  > {
    switch band {
    case 0: SIMD4(glides[0], knobs.pointee.low.gain, 1, 0)
    case 1: SIMD4(glides[1], knobs.pointee.bell1.gain, glides[5], 0)
    case 2: SIMD4(glides[2], knobs.pointee.bell2.gain, glides[6], 0)
    case 3: SIMD4(glides[3], knobs.pointee.bell3.gain, glides[7], 0)
    default: SIMD4(glides[4], knobs.pointee.high.gain, 1, 0)
    }
  }

  /// The values that glide in octaves: five frequencies and three Qs.
  @_noLocks @inline(__always)
  private static func glides(_ knobs: UnsafePointer<FiveBandKnobs>) -> Lanes {
    Lanes(
      knobs.pointee.low.frequency, knobs.pointee.bell1.frequency, knobs.pointee.bell2.frequency,
      knobs.pointee.bell3.frequency, knobs.pointee.high.frequency, knobs.pointee.bell1.q,
      knobs.pointee.bell2.q, knobs.pointee.bell3.q)
  }

  // MARK: - Sound

  /// Processes some frames in place, at most 16 and never across a tick. The buffers must have space for a whole tick.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if audible == 0 { return }
    take(left, right, frames)
    if audible == 0b11111, !moves {
      all(frames)
    } else {
      some(frames)
    }
    give(left, right, frames)
  }

  /// Converts the frames of both channels to pairs in double precision.
  @_noLocks @inline(__always)
  private func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int) {
    let to = UnsafeMutableRawPointer(sound).assumingMemoryBound(to: Double.self)
    var i = 0
    while i < frames {
      rt_to_frames((left + i).four, (right + i).four, to + 2 &* i)
      i &+= 4
    }
  }

  /// Converts the pairs back.
  @_noLocks @inline(__always)
  private func give(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int)
  {
    let from = UnsafeRawPointer(sound).assumingMemoryBound(to: Double.self)
    var i = 0
    while i &+ 4 <= frames {
      // Two frames each: the low halves are left, the high halves right.
      let (a, b) = (rt_two_frames(from + 2 &* i), rt_two_frames(from + 2 &* (i &+ 2)))
      (left + i).four = rt_low_halves(a, b)
      (right + i).four = rt_high_halves(a, b)
      i &+= 4
    }
    while i < frames {
      (left[i], right[i]) = (Float(sound[i].x), Float(sound[i].y))
      i &+= 1
    }
  }

  /// Processes the active bands in order. Mutating, like `all`, because the compiler otherwise copies the whole struct
  /// for the call.
  @_noLocks
  private mutating func some(_ frames: Int) {
    var rest = audible
    while rest != 0 {
      let band = bands + rest.trailingZeroBitCount
      rest &= rest &- 1
      if band.pointee.moves {
        band.pointee.move(sound, frames: frames)
        continue
      }
      let next = bands + (rest.trailingZeroBitCount & 7)
      if rest != 0, !next.pointee.moves {
        rest &= rest &- 1
        pair(band, next, frames)
      } else {
        one(band, frames)
      }
    }
  }

  /// Processes a band with constant coefficients.
  @_noLocks
  private func one(_ band: UnsafeMutablePointer<FiveBandSection>, _ frames: Int) {
    var a = band.pointee.direct.state
    var i = 0
    while i < frames {
      sound[i] = band.pointee.direct.process(sound[i], &a)
      i &+= 1
    }
    band.pointee.direct.state = a
  }

  /// Processes two bands in one loop, so that the processor works on both at once; the result equals that of one after
  /// the other.
  @_noLocks
  private func pair(
    _ band: UnsafeMutablePointer<FiveBandSection>, _ next: UnsafeMutablePointer<FiveBandSection>,
    _ frames: Int
  ) {
    var (a, b) = (band.pointee.direct.state, next.pointee.direct.state)
    var i = 0
    while i < frames {
      let x = band.pointee.direct.process(sound[i], &a)
      sound[i] = next.pointee.direct.process(x, &b)
      i &+= 1
    }
    (band.pointee.direct.state, next.pointee.direct.state) = (a, b)
  }

  /// Processes all five bands in one loop.
  @_noLocks
  private mutating func all(_ frames: Int) {
    var (a, b, c) = (bands[0].direct.state, bands[1].direct.state, bands[2].direct.state)
    var (d, e) = (bands[3].direct.state, bands[4].direct.state)
    var i = 0
    while i < frames {
      var x = bands[0].direct.process(sound[i], &a)
      x = bands[1].direct.process(x, &b)
      x = bands[2].direct.process(x, &c)
      x = bands[3].direct.process(x, &d)
      sound[i] = bands[4].direct.process(x, &e)
      i &+= 1
    }
    (bands[0].direct.state, bands[1].direct.state, bands[2].direct.state) = (a, b, c)
    (bands[3].direct.state, bands[4].direct.state) = (d, e)
  }

  /// Clears the state of the bands; true, since this takes one call.
  @_noLocks
  mutating func clearPiece() -> Bool {
    for i in 0..<Self.count {
      bands[i].reset()
    }
    return true
  }
}
