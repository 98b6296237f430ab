/// A sum of saws in eight voices, such as those of a unison that lie on one side: made of their jumps alone.
///
/// Between their jumps all saws together are one straight line. So each jump puts a short pulse where it is, the slope
/// of a smoothed step, for one voice of one saw at a time; and one pass adds up pulses and slope over the samples (the
/// band-limited impulse train of Stilson and Smith, "Alias-free digital synthesis of classic analog waveforms", ICMC 1996,
/// integrated from where the saws are at the first sample, so that nothing drifts). A further saw costs what its jumps
/// cost: at 440 Hz one for every 109 samples.
///
/// What comes out is a sum of saws of ±2^31.
struct SawSum {
  /// Rows of pulses, a vector for each sample; then the samples.
  let rows: UnsafeMutablePointer<Lanes>
  let frames: Int
  /// Those of them that have passed.
  let passed: Int
  /// Samples before a jump that its pulse reaches, and behind it.
  let reach: Int
  /// From a jump to the first sample that its pulse does not reach; and the time of the first jump that reaches no sample
  /// of the block.
  let end: Float
  let last: Float
  /// The sum at the first sample without the pulses, and what it grows by from sample to sample.
  var start = Lanes.zero
  var slope = Lanes.zero

  /// Rows that are written before the first sample, and as many behind the last one.
  static var margin: Int { @_noLocks get { Limits.controlFrames &+ 2 &* SyncedPulse.reach } }
  /// Half of a period, and a whole one, as a phase.
  static var half: Float { @_noLocks get { BandLimitedStep.scale } }
  static var whole: Float { @_noLocks get { 2 * BandLimitedStep.scale } }

  /// An empty sum, for `frames` behind `passed` of the same tick: it begins where the tick did, so that the samples are the
  /// same bits wherever that is cut. `rows` is where they go, with room for a `margin` around them.
  @_noLocks @inline(__always)
  init(_ rows: UnsafeMutablePointer<Lanes>, passed: Int, frames: Int, reach: Int) {
    (self.rows, self.frames, self.passed) = (rows - passed, passed &+ frames, passed)
    (self.reach, end) = (reach, Float(reach) - 0.5)
    last = Float(self.frames &- 1) + end
    let (rows, frames) = (self.rows, self.frames)
    var i = -2 &* reach
    while i < frames &+ 2 &* reach {
      rows[i] = .zero
      i &+= 1
    }
  }

  /// Adds saws that begin at a phase and go so far for each sample, as numbers of phase, above 0; `period` is in samples.
  @_noLocks
  mutating func add(_ phase: Phases, way: Lanes, period: Lanes) {
    start += line(phase, period, Self.whole)
    slope += way
  }

  /// Adds pulses, whose ends lie so far behind their beginnings: each is a saw less another one.
  @_noLocks
  mutating func addPulses(_ phase: Phases, _ end: Phases, period: Lanes) {
    start += line(phase, period, Self.whole)
    start -= line(phase &+ end, period, -Self.whole)
  }

  /// Puts the jumps of saws where they are, of a height. Where their lines begin: above the saws where a jump before the
  /// first sample reaches into the block.
  @_noLocks @inline(__always)
  private func line(_ phase: Phases, _ period: Lanes, _ height: Float) -> Lanes {
    let place = numbers(phase)
    let since = multiplyAdd(place, Lanes(repeating: 1 / Self.whole), Lanes(repeating: 0.5)) * period
    let isBehind = since .< Lanes(repeating: end)
    let first = select(-since, period - since, where: isBehind)
    var left = lanes(where: first .< Lanes(repeating: last))
    if left != 0 {
      // In memory, where a lane is found by its number at once.
      var jumps = (first: first, period: period)
      while left != 0 {
        jump(left.trailingZeroBitCount, &jumps, height)
        left &= left &- 1
      }
    }
    return place + lanes(bits(Lanes(repeating: Self.whole)) & unsafeBitCast(isBehind, to: LaneWords.self))
  }

  /// The jumps of one lane; `jumps` is where the times of the first ones begin, and behind them the periods.
  @_noLocks @inline(__always)
  private func jump(_ lane: Int, _ jumps: UnsafeRawPointer, _ height: Float) {
    let place = jumps + lane &* MemoryLayout<Float>.stride
    var time = place.load(as: Float.self)
    let period = place.load(fromByteOffset: MemoryLayout<Lanes>.stride, as: Float.self)
    repeat {
      let (x, share) = nearest(time, lane)
      let (y, z) = SawPulse.at(share, height)
      Self.subtract(y, x - 24)
      Self.subtract(z, x + 32, -1)
      time += period
    } while time < last
  }

  /// Takes four numbers off a lane of rows, one after the other or backwards.
  @_noLocks @inline(__always)
  static func subtract(_ y: Quad, _ x: UnsafeMutablePointer<Float>, _ way: Int = 1) {
    let row = way &* Limits.lanesPerGroup
    x[0] -= y[0]
    x[row] -= y[1]
    x[2 &* row] -= y[2]
    x[3 &* row] -= y[3]
  }

  /// A lane's place in the row of the sample that is nearest to a time, and how far behind it that sample lies.
  @_noLocks @inline(__always)
  func nearest(_ time: Float, _ lane: Int) -> (UnsafeMutablePointer<Float>, share: Float) {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits.
    let whole = time + 12_582_912
    let row = Int(truncatingIfNeeded: Int32(bitPattern: whole.bitPattern &- 0x4b40_0000))
    let place = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Float.self)
    return (place + (row &* Limits.lanesPerGroup &+ lane), (whole - 12_582_912) - time)
  }

  /// Puts the samples where the pulses are.
  @_noLocks @inline(__always)
  func finish() {
    var x = start
    var i = -2 &* reach
    while i <= 0 {
      x += rows[i]
      i &+= 1
    }
    rows[0] = x
    while i < frames {
      x += slope + rows[i]
      rows[i] = x
      i &+= 1
    }
  }
}
