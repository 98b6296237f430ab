/// A saw that begins anew whenever a master's period ends, band-limited.
///
/// Up to three jumps are near a sample: the reset, from where the saw is then to where it begins; and its own ahead and
/// behind, which may lie beyond the reset. Each is smoothed over 4.75 samples to either side, wherever the other two are:
/// alias-to-signal is -77 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20. With the
/// jump behind the reset left out it would be -24 dB where the ratio is a little more than a whole number.
///
/// Most samples of a low saw are near none of them: what smooths them is computed for eight samples of one voice at a time,
/// where that has a jump.
struct SyncedSaw {
  // Vectors, in the order in which `init(_:_:)` finds those of one voice.
  private let phase: Phases
  private let advance: Phases
  private let ratio: Lanes
  private let ratioStep: Lanes
  /// Where it begins, and where it would be at the reset: halves of its period, those that it has gone through added.
  private let start: Lanes
  private let end: Lanes
  /// How far it jumps at the reset.
  private let height: Lanes
  /// From the reset to its first jump, and from its last to the reset; far away where it has none.
  private let first: Lanes
  private let last: Lanes
  /// One over the reach of a smoothed jump: in halves of its own period, and of the master's.
  private let steepness: Lanes
  private let masterSteepness: Lanes
  /// The reaches themselves.
  private let reach: Lanes
  private let masterReach: Lanes
  /// True when jumps ahead and behind may both be in reach.
  private let isTight: Bool

  // Samples that a smoothed jump reaches to either side.
  private static var samples: Float { @_noLocks get { 4.75 } }

  /// - Parameters:
  ///   - advance: of its phase at every sample, by which it would go without a master.
  ///   - shift: halves of its period that it begins later than at its lowest, 0…2.
  @_noLocks
  init(_ master: SyncMaster, advance: Phases, shift: Lanes) {
    (phase, self.advance) = (master.phase, master.advance)
    (ratio, ratioStep) = (master.ratio.value, master.ratio.step)
    let one = Lanes(repeating: 1)
    start = shift - one
    end = multiplyAdd(ratio, Lanes(repeating: 2), start)
    let found = Self.wrapped(end)
    height = start - found
    let hasJumps = end .> one
    let far = Lanes(repeating: 1e6)
    first = select(one - start, far, where: hasJumps)
    last = select(one + found, far, where: hasJumps)
    // Up to a whole period of its own, a jump ahead and one behind are all that are in reach.
    let (unit, least) = (Self.samples * BandLimitedStep.unit, Lanes(repeating: 1e-6))
    reach = larger(smaller(numbers(advance) * unit, Lanes(repeating: 2)), least)
    masterReach = larger(smaller(numbers(master.advance) * unit, one), least)
    (steepness, masterSteepness) = (one / reach, one / masterReach)
    isTight = isAny(larger(reach - one, Lanes.zero)) || isAny(shift)
  }

  /// One voice of them, in all lanes.
  @_noLocks @inline(__always)
  private init(_ voices: UnsafePointer<SyncedSaw>, _ voice: Int) {
    let place = UnsafeRawPointer(voices) + voice &* MemoryLayout<Float>.stride
    phase = unsafeBitCast(Self.vector(place, 0), to: Phases.self)
    advance = unsafeBitCast(Self.vector(place, 1), to: Phases.self)
    (ratio, ratioStep, start, end, height) = (
      Self.vector(place, 2), Self.vector(place, 3), Self.vector(place, 4), Self.vector(place, 5),
      Self.vector(place, 6)
    )
    (first, last, steepness, masterSteepness) = (
      Self.vector(place, 7), Self.vector(place, 8), Self.vector(place, 9), Self.vector(place, 10)
    )
    (reach, masterReach, isTight) = (Self.vector(place, 11), Self.vector(place, 12), voices.pointee.isTight)
  }

  /// One voice's number of a vector, in all lanes.
  @_noLocks @inline(__always)
  private static func vector(_ place: UnsafeRawPointer, _ index: Int) -> Lanes {
    Lanes(repeating: place.load(fromByteOffset: index &* MemoryLayout<Lanes>.stride, as: Float.self))
  }

  @_noLocks @inline(__always)
  private static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

  // MARK: - Samples

  /// Its sample at a phase of the master, and at what the ratio is then: -1…1.
  @_noLocks @inline(__always)
  func sample(_ phase: Phases, _ ratio: Lanes) -> Lanes {
    let place = Place(phase, ratio, start)
    return place.line + bend(place)
  }

  /// Puts the sum of `base` and its samples into `x`, in numbers of ±2^31. Vectors behind the frames, seven at most, are
  /// read and written, and may hold anything.
  @_noLocks
  mutating func add(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    addLine(base, x, frames)
    if near(0, frames) == 0 { return }
    Self.addBends(&self, x, frames)
  }

  /// Adds what smooths their jumps, voice by voice.
  @_noLocks @inline(__always)
  private static func addBends(
    _ voices: UnsafePointer<SyncedSaw>, _ x: UnsafeMutablePointer<Lanes>, _ frames: Int
  ) {
    var row = 0
    while row < frames {
      var near = voices.pointee.near(row, Limits.lanesPerGroup)
      while near != 0 {
        let voice = near.trailingZeroBitCount
        let y = bends(voices, voice, row)
        let out = UnsafeMutableRawPointer(x + row).assumingMemoryBound(to: Float.self) + voice
        (out[0], out[8], out[16], out[24]) = (out[0] + y[0], out[8] + y[1], out[16] + y[2], out[24] + y[3])
        (out[32], out[40], out[48], out[56]) = (
          out[32] + y[4], out[40] + y[5], out[48] + y[6], out[56] + y[7]
        )
        near &= near &- 1
      }
      row &+= Limits.lanesPerGroup
    }
  }

  /// The same without what smooths its jumps.
  @_noLocks @inline(__always)
  private func addLine(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    // In whole periods; and the ratio as `bends` has it, to the bit, so that both lie on the same side of a jump.
    var phase = phase
    let (start, ratio, step) = (0.5 * start, 0.5 * ratio, 0.5 * ratioStep)
    var i = 0
    while i < frames {
      let since = multiplyAdd(numbers(phase), Lanes(repeating: BandLimitedStep.unit), Lanes(repeating: 1))
      let way = multiplyAdd(multiplyAdd(step, Lanes(repeating: Float(i)), ratio), since, start)
      x[i] = multiplyAdd(way - nearest(way), Lanes(repeating: 2 * BandLimitedStep.scale), base[i])
      phase &+= advance
      i &+= 1
    }
  }

  /// The voices that have a jump in reach of one of some samples in a row, one bit each.
  @_noLocks @inline(__always)
  private func near(_ row: Int, _ samples: Int) -> UInt8 {
    let ahead = Float(samples &- 1) * BandLimitedStep.unit
    let phase = phase &+ advance &* Phases(repeating: Int32(truncatingIfNeeded: row))
    let ratio = multiplyAdd(ratioStep, Lanes(repeating: Float(row)), ratio)
    let from = multiplyAdd(numbers(phase), Lanes(repeating: BandLimitedStep.unit), Lanes(repeating: 1))
    let to = from + numbers(advance) * ahead
    let before = nearest(0.5 * (multiplyAdd(ratio, from, start) - reach))
    let after = nearest(0.5 * (multiplyAdd(ratio, to, start) + reach))
    let isReset = (from .< masterReach) .| (to + masterReach .> Lanes(repeating: 2))
    return lanes(where: isReset .| (before .!= after))
  }

  /// Where it is at one sample: the master's phase, halves of its period since it began, those that are whole periods, and
  /// its straight line.
  private struct Place {
    let master: Lanes
    let way: Lanes
    let turns: Lanes
    let line: Lanes

    @_noLocks @inline(__always)
    init(_ phase: Phases, _ ratio: Lanes, _ start: Lanes) {
      master = numbers(phase) * BandLimitedStep.unit
      way = multiplyAdd(ratio, master + 1, start)
      turns = 2 * nearest(0.5 * way)
      line = way - turns
    }
  }

  /// What smooths the jumps of eight samples of one voice, in numbers of ±2^31.
  @_noLocks @inline(__always)
  private static func bends(_ voices: UnsafePointer<SyncedSaw>, _ voice: Int, _ row: Int) -> Lanes {
    let place = UnsafeRawPointer(voices) + voice &* MemoryLayout<Float>.stride
    let phase = place.load(as: Int32.self)
    let advance = place.load(fromByteOffset: MemoryLayout<Lanes>.stride, as: Int32.self)
    let start = phase &+ advance &* Int32(truncatingIfNeeded: row)
    let phases = Phases(repeating: start) &+ LowSaw.ways(UInt32(bitPattern: advance))
    return bends(voices, voice, phases, Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(row))
  }

  /// The same at phases that follow each other. Not inlined: what puts the vectors together and takes them apart would take
  /// their computation apart too.
  @_noLocks @inline(never)
  private static func bends(
    _ voices: UnsafePointer<SyncedSaw>, _ voice: Int, _ phases: Phases, _ samples: Lanes
  ) -> Lanes {
    let saw = SyncedSaw(voices, voice)
    let ratio = multiplyAdd(saw.ratioStep, samples, saw.ratio)
    return saw.bend(Place(phases, ratio, saw.start)) * BandLimitedStep.scale
  }

  /// What smooths its jumps.
  @_noLocks @inline(__always)
  private func bend(_ place: Place) -> Lanes {
    let sign = LaneWords(repeating: 0x8000_0000)
    // A number that the compiler does not know: then the smaller of two is one instruction.
    let one = reach - reach + 1
    let reset = -0.5 * Self.residual((one - magnitude(place.master)) * masterSteepness, one)
    let edge = lanes(bits(reset) ^ (bits(place.master) & sign))
    let ahead = select(
      end - place.way + first, one - place.line, where: end - place.turns .< one)
    let behind = select(one + place.line, place.way - start + last, where: place.turns .> one)
    if isTight {
      let own = Self.residual(ahead * steepness, one) - Self.residual(behind * steepness, one)
      return multiplyAdd(height, edge, own)
    }
    let own = Self.residual(smaller(ahead, behind) * steepness, one)
    return multiplyAdd(height, edge, lanes(bits(own) ^ (bits(behind - ahead) & sign)))
  }

  /// What is taken off ahead of a jump from 1 to -1, for a distance in units of the reach. As a polynomial of the
  /// square, so that it has no corner at the jump: found by least squares on the spectrum of the smoothed step, -0.1 dB at
  /// 10 kHz and -3.7 dB at 15 kHz.
  @_noLocks @inline(__always)
  private static func residual(_ distance: Lanes, _ one: Lanes) -> Lanes {
    // Below 0 where a ratio leaps past the reset, or is that of a lane without a voice: the polynomial would overflow.
    let u = larger(smaller(distance, one), Lanes.zero)
    // Not a plain number: with that, Swift 6.3 computes half of it lane by lane.
    let w = u * u - 0.5 * one
    var p = Lanes(repeating: -13.4573735)
    p = multiplyAdd(p, w, Lanes(repeating: 40.6550328))
    p = multiplyAdd(p, w, Lanes(repeating: -56.9974354))
    p = multiplyAdd(p, w, Lanes(repeating: 51.1222089))
    p = multiplyAdd(p, w, Lanes(repeating: -32.9845977))
    p = multiplyAdd(p, w, Lanes(repeating: 15.513068))
    p = multiplyAdd(p, w, Lanes(repeating: -5.48427876))
    p = multiplyAdd(p, w, Lanes(repeating: 2.03836881))
    p = multiplyAdd(p, w, Lanes(repeating: -1.29315541))
    p = multiplyAdd(p, w, Lanes(repeating: 1.39770543))
    return multiplyAdd(u, p, Lanes(repeating: -1))
  }
}
