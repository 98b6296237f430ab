/// The cutoff and the shape of a filter during a modulated part of a block.
struct CutoffSweep {
  private var cutoff: Ramp
  private var share: Float
  private let perFrame: Float
  private let from: FilterShape
  private let to: FilterShape
  private let movesShape: Bool
  private let rate: Float

  /// - Parameters:
  ///   - to: the shape of the filter at the end of the update.
  ///   - part: the position of the samples in the update.
  @_noLocks
  init(_ modulation: UnsafePointer<CutoffModulation>, to: FilterShape, _ part: BlockPart, rate: Float) {
    (cutoff, from, self.to) = (modulation.pointee.cutoff, modulation.pointee.from, to)
    (share, perFrame) = (Float(part.first), 1 / Float(part.planned))
    movesShape = from.differs(from: to)
    self.rate = rate
  }

  /// Sets the coefficients of a filter for the next sample, whose cutoff is `octaves` higher.
  @_noLocks @inline(__always)
  mutating func set(_ filter: inout FilterLanes, _ octaves: Lanes, _ needs: FilterNeeds) {
    if movesShape { filter.shape = from.blended(with: to, Lanes(repeating: share * perFrame)) }
    filter.set(at: cutoff.value, hertz: exp2(cutoff.value + octaves), rate: rate, needs: needs)
    cutoff.move()
    share += 1
  }

  /// Sets the coefficients to those of the unmodulated cutoff, after the last sample.
  @_noLocks
  func finish(_ filter: inout FilterLanes, _ needs: FilterNeeds) {
    filter.shape = to
    filter.set(at: cutoff.value, hertz: exp2(cutoff.value), rate: rate, needs: needs)
  }
}
