import Parameters
import Scenes
import Synth

/// A player whose parts may play on separate outputs.
public final class OutputsPlayer: Player {
  /// The samples that `play` has rendered for the outputs beyond 1 and 2, pair by pair.
  public var further: [(left: [Float], right: [Float])]
  /// The buffers of these outputs, of `Limits.period` frames.
  public var furtherOutputs: ExtraOutputs
  private let pairs: ExtraOutputs

  /// Creates a player with parts on `outputs`. `pairs` is the number of existing output pairs; nil for all that
  /// `outputs` names.
  public init(
    _ scene: Scene = .initial, rate: Double = 48_000, outputs: PartOutputs, pairs: Int? = nil
  ) {
    self.pairs = ExtraOutputs(pairs: pairs ?? outputs.count, frames: Limits.period)
    furtherOutputs = self.pairs
    further = .init(repeating: ([], []), count: self.pairs.pairs - 1)
    super.init(Link(scene), running: false) { Engine(rate: rate, link: $0, outputs: outputs) }
  }

  deinit { pairs.deallocate() }

  public override func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    engine.pointee.render(left: left, right: right, further: furtherOutputs, frames: frames)
  }

  public override func keep(_ frames: Int) {
    for pair in 1..<furtherOutputs.pairs {
      further[pair - 1].left += UnsafeBufferPointer(start: furtherOutputs.left(pair), count: frames)
      further[pair - 1].right += UnsafeBufferPointer(start: furtherOutputs.right(pair), count: frames)
    }
  }
}
