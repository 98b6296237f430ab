import Scenes

/// The effects of a sound without its voices, as a part has them, for measuring their response to a signal such as an
/// impulse. One thread.
public final class EffectBench {
  private let prepared: PreparedEffects
  private let knobs: UnsafeMutablePointer<EffectKnobs>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let wet = RackBuffers()
  private var rack = Rack()

  /// Effects in their initial state, with the given knobs, at a sample rate in Hz.
  public init(_ knobs: EffectKnobs, rate: Double) {
    prepared = PreparedEffects(rate: rate)
    prepared.prepare(knobs)
    self.knobs = .allocate(capacity: 1)
    self.knobs.initialize(to: knobs)
    left = .allocate(capacity: Limits.controlFrames)
    right = .allocate(capacity: Limits.controlFrames)
    rack.begin(prepared.effects)
  }

  deinit {
    rack.release()
    rack.deallocate()
    knobs.deallocate()
    left.deallocate()
    right.deallocate()
    wet.deallocate()
  }

  /// Processes both sides in place, in whole control ticks: the last tick is padded with silence. `tempo` is in beats
  /// a second.
  public func process(_ left: inout [Float], _ right: inout [Float], tempo: Float = 2) {
    let tick = Limits.controlFrames
    let aim = EffectAim(
      UnsafePointer(knobs), to: UnsafePointer(knobs), tempo: tempo, share: 1, isSettled: true)
    var at = 0
    while at < left.count {
      let frames = min(tick, left.count - at)
      for i in 0..<tick {
        (self.left[i], self.right[i]) = i < frames ? (left[at + i], right[at + i]) : (0, 0)
      }
      rack.process(self.left, self.right, wet, aim, frames: tick, ahead: tick)
      for i in 0..<frames { (left[at + i], right[at + i]) = (self.left[i], self.right[i]) }
      at += tick
    }
  }
}
