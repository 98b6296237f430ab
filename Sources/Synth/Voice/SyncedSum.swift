/// Where a synchronized saw is in each of eight voices.
struct SyncedPlace {
  var phase = Phases.zero
  /// How far it was through it when it was last begun anew.
  var end = Lanes.zero

  /// Puts some lanes where they are for a master at this phase, if both always went as fast as now: the saw goes through
  /// `ratio` periods in one of the master's.
  @_noLocks
  mutating func begin(_ lanes: SIMDMask<SIMD8<Int32>>, _ master: Phases, _ ratio: Lanes) {
    let begun = Self.phase(Self.fraction(ratio * Self.part(master)))
    phase = select(begun, phase, where: lanes)
    end = select(Self.fraction(ratio), end, where: lanes)
  }

  /// A phase as a part of the period, 0…1.
  @_noLocks @inline(__always)
  static func part(_ phase: Phases) -> Lanes { part(numbers(phase)) }

  @_noLocks @inline(__always)
  static func part(_ number: Lanes) -> Lanes {
    multiplyAdd(number, Lanes(repeating: 0x1p-32), Lanes(repeating: 0.5))
  }

  /// The phase at a part of the period.
  @_noLocks @inline(__always)
  fileprivate static func phase(_ part: Lanes) -> Phases { advances((part - 0.5) * SawSum.half) &<< 1 }

  @_noLocks @inline(__always)
  fileprivate static func fraction(_ x: Lanes) -> Lanes {
    // Not beyond 0 and 1 either where a lane without a voice makes `x` too large for that.
    smaller(larger(x - nearest(x - 0.5), Lanes.zero), Lanes(repeating: 1))
  }
}

/// Saws that begin anew whenever a master's period ends, hard sync. Beside their own jumps they have one of another height
/// at each reset. Where each is goes on from block to block, so that nothing leaps where the ratio moves.
///
/// Alias-to-signal is -80 dB or better for saws under 9 kHz and masters of 110 to 880 Hz, at any ratio up to 20.
extension SawSum {
  /// Adds saws that masters begin anew, and lets them go on to the end of the block.
  /// - Parameters:
  ///   - advance: of each saw for each sample; `way` is the same as a number, and `period` its samples.
  ///   - ratio: periods of a saw in one of its master's.
  @_noLocks
  mutating func add(
    _ saws: UnsafeMutablePointer<SyncedPlace>, advance: Phases, way: Lanes, period: Lanes,
    _ master: Phases, masterAdvance: Phases, ratio: Lanes
  ) {
    let (end, last) = (SyncedPulse.end, Float(frames &- passed &- 1) + SyncedPulse.end)
    let (number, phase) = (numbers(saws.pointee.phase), SyncedPlace.part(master))
    let place = SyncedPlace.part(number)
    line.start += passed == 0 ? number : multiplySubtract(way, Lanes(repeating: Float(passed)), from: number)
    line.slope += way
    let masterPeriod = period * ratio
    let (own, since) = (place * period, phase * masterPeriod)
    let isBehind = Synth.smaller(own, since) .< Lanes(repeating: end)
    let isAhead = Synth.smaller(period - own, masterPeriod - since) .< Lanes(repeating: last)
    var left = lanes(where: isBehind .| isAhead)
    if left != 0 {
      // In memory, where a lane is found by its number at once.
      var times = (
        own: own, end: saws.pointee.end, period: period, since: since, masterPeriod: masterPeriod
      )
      while left != 0 {
        let lane = left.trailingZeroBitCount
        let above = jump(lane, &times, last)
        if above != 0 { line.start[lane] += above }
        left &= left &- 1
      }
    }
    let frames = frames &- passed
    saws.pointee.phase &+= Synth.way(advance, frames)
    // A reset is where the master's phase wraps, to the bit; at other times the saw goes on.
    let masterEnd = SyncedPlace.part(master &+ Synth.way(masterAdvance, frames))
    let gone = numbers(masterAdvance) * (Float(frames) / Self.whole)
    let resets = Synth.nearest(phase + gone - masterEnd)
    let isReset = resets .> Lanes(repeating: 0.5)
    if !isAny(isReset) { return }
    let begun = SyncedPlace.phase(SyncedPlace.fraction(masterEnd * ratio))
    saws.pointee.phase = select(begun, saws.pointee.phase, where: isReset)
    let isAgain = resets .> Lanes(repeating: 1.5)
    let reset = SyncedPlace.fraction(select(ratio, multiplyAdd(1 - phase, ratio, place), where: isAgain))
    saws.pointee.end = select(reset, saws.pointee.end, where: isReset)
  }

  /// The jumps of one lane. `times` is where vectors begin: samples since its last one, its place at the last reset, samples of
  /// its period, since its master's last reset, and of the master's period. Returns how far its line begins above where the saw is, for jumps before the first sample that
  /// reach into the block.
  @_noLocks @inline(__always)
  private func jump(_ lane: Int, _ times: UnsafeRawPointer, _ last: Float) -> Float {
    let end = SyncedPulse.end
    let (size, at) = (MemoryLayout<Lanes>.stride, times + lane &* MemoryLayout<Float>.stride)
    let period = at.load(fromByteOffset: 2 &* size, as: Float.self)
    let masterPeriod = at.load(fromByteOffset: 4 &* size, as: Float.self)
    // Behind: its own jumps since the reset, half a period after it at the least; the reset; and those before it.
    var reset = 0 - at.load(fromByteOffset: 3 &* size, as: Float.self)
    var time = 0 - at.load(as: Float.self)
    let ahead = time + period
    let least = larger(reset + 0.5 * period, 0 - end)
    var above: Float = 0
    while time > least {
      put(lane, time, 1)
      (above, time) = (above + Self.whole, time - period)
    }
    if reset > 0 - end {
      let height = at.load(fromByteOffset: size, as: Float.self)
      put(lane, reset, height)
      (above, time) = (above + height * Self.whole, reset - height * period)
      while time > 0 - end {
        put(lane, time, 1)
        (above, time) = (above + Self.whole, time - period)
      }
    }
    // Ahead.
    (time, reset) = (ahead, reset + masterPeriod)
    while true {
      while time < smaller(reset, last) {
        put(lane, time, 1)
        time += period
      }
      if !(reset < last) { return above }
      put(lane, reset, 1 - (time - reset) / period)
      (time, reset) = (reset + period, reset + masterPeriod)
    }
  }

  /// Puts a jump at a time, `height` times.
  @_noLocks @inline(__always)
  private func put(_ lane: Int, _ time: Float, _ height: Float) {
    let (x, share) = nearest(time + Float(passed), lane)
    let (pulse, middle) = (SyncedPulse.at(share), SyncedPulse.middle(share))
    if isLeft { Self.add(pulse, middle, height * self.height(lane), x - 4) }
    if isRight { Self.add(pulse, middle, height * heightOnRight(lane), x + (Self.right &- 4)) }
  }

  /// Adds a pulse to a row.
  @_noLocks @inline(__always)
  private static func add(
    _ pulse: (before: Quad, behind: Quad), _ middle: (before: Float, behind: Float), _ height: Float,
    _ x: UnsafeMutablePointer<Float>
  ) {
    let heights = Quad(repeating: height)
    x.four = multiplyAdd(pulse.before, heights, x.four)
    x[4] += middle.before * height
    x[5] += middle.behind * height
    (x + 6).four = multiplyAdd(pulse.behind, heights, (x + 6).four)
  }

  @_noLocks @inline(__always)
  private func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  @_noLocks @inline(__always)
  private func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
