/// The master stages of the outputs beyond 1 and 2: each pair has the master level and its own limiter, whose delay
/// equals that of the first pair. The equalizer acts on the first pair alone.
struct ExtraMasters: ~Copyable {
  private let masters: UnsafeMutablePointer<MasterOutput>
  private let count: Int
  // Pairs in use, including the first.
  private var pairs = 1

  init(rate: Double, outputs: PartOutputs) {
    count = outputs.count - 1
    masters = .allocate(capacity: count)
    for index in 0..<count { (masters + index).initialize(to: MasterOutput(rate: rate)) }
  }

  deinit {
    masters.deinitialize(count: count)
    masters.deallocate()
  }

  /// Processes a run of frames in place, beginning at index `from`, like `MasterOutput.process`. False when a sample
  /// was not a number.
  @_noLocks
  mutating func process(
    _ outputs: ExtraOutputs, from: Int, frames: Int, tickOffset: Int, _ knobs: Master
  ) -> Bool {
    if outputs.pairs != pairs { change(to: outputs.pairs) }
    if pairs == 1 { return true }
    var knobs = knobs
    knobs.equalizer.bypass = 1
    var isSound = true
    var pair = 1
    while pair < pairs {
      let (left, right) = (outputs.left(pair) + from, outputs.right(pair) + from)
      if !masters[pair &- 1].process(left, right, frames: frames, tickOffset: tickOffset, knobs) {
        isSound = false
      }
      pair &+= 1
    }
    return isSound
  }

  /// The lowest gain of all its limiters since the last call.
  @_noLocks
  mutating func takeLowestGain() -> Float {
    var gain: Float = 1
    var index = 0
    while index < pairs &- 1 {
      gain = min(gain, masters[index].takeLowestGain())
      index &+= 1
    }
    return gain
  }

  /// Changes to the pairs of another card and drops the samples still in the limiters.
  @_noLocks
  private mutating func change(to pairs: Int) {
    self.pairs = min(pairs, count &+ 1)
    var index = 0
    while index < count {
      masters[index].reset()
      index &+= 1
    }
  }
}
