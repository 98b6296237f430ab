import Parameters
import Synth

/// An engine without a device, played by a test or a benchmark.
public final class Player {
  public let link: Link
  public let engine: UnsafeMutablePointer<Engine>
  /// What `play` has rendered so far.
  public var left: [Float] = []
  public var right: [Float] = []
  /// The same of the outputs beyond 1 and 2, pair by pair.
  public var further: [(left: [Float], right: [Float])]
  /// Their buffers, of `Limits.period` frames.
  public var furtherOutputs: FurtherOutputs
  /// The block that `render` has rendered last.
  public let block: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)

  private let pairs: FurtherOutputs

  /// An engine that plays `scene`. While it is `running`, scenes that it may still see are kept, as with a device. Its
  /// parts play on `outputs`, of which there are `pairs`, all of them unless it is said.
  public init(
    _ scene: Scene = .initial, rate: Double = 48_000, running: Bool = false,
    outputs: PartOutputs = PartOutputs(),
    pairs: Int? = nil
  ) {
    self.pairs = FurtherOutputs(pairs: pairs ?? outputs.count, frames: Limits.period)
    furtherOutputs = self.pairs
    further = .init(repeating: ([], []), count: self.pairs.pairs - 1)
    link = Link(scene)
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: rate, link: link, outputs: outputs))
    block = (.allocate(capacity: Limits.period), .allocate(capacity: Limits.period))
    link.scene.audioSide.setRunning(running)
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    block.left.deallocate()
    block.right.deallocate()
    pairs.deallocate()
  }

  /// Renders blocks of `frames` (up to `Limits.period`) into `block`, each over the one before.
  public func render(_ frames: Int, blocks: Int = 1) {
    for _ in 0..<blocks {
      engine.pointee.render(left: block.left, right: block.right, further: furtherOutputs, frames: frames)
    }
  }

  /// Renders `frames` frames in blocks of `block` and appends them to `left` and `right`.
  public func play(_ frames: Int, block: Int = 64) {
    var rest = frames
    var (l, r) = ([Float](repeating: 0, count: block), [Float](repeating: 0, count: block))
    while rest > 0 {
      let count = min(block, rest)
      l.withUnsafeMutableBufferPointer { l in
        r.withUnsafeMutableBufferPointer { r in
          guard let l = l.baseAddress, let r = r.baseAddress else { return }
          engine.pointee.render(left: l, right: r, further: furtherOutputs, frames: count)
        }
      }
      left += l[..<count]
      right += r[..<count]
      for pair in 1..<furtherOutputs.pairs {
        further[pair - 1].left += UnsafeBufferPointer(start: furtherOutputs.left(pair), count: count)
        further[pair - 1].right += UnsafeBufferPointer(start: furtherOutputs.right(pair), count: count)
      }
      rest -= count
    }
  }

  /// Sends an event, as the MIDI thread does; frame 0 is at once, target 0 MIDI channel 1.
  public func send(
    _ kind: Event.Kind, at frame: Int = 0, source: Int = 0, target: UInt8 = 0, note: Int = 60,
    value: Float = 0
  ) {
    link.midi.push(
      Event(
        frame: Int64(frame), kind: kind, source: UInt8(source), target: target, note: UInt8(note),
        value: value))
  }

  public func press(
    _ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0, velocity: Float = 0.8
  ) {
    send(.noteOn, at: frame, source: source, target: target, note: note, value: velocity)
  }

  public func release(_ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0) {
    send(.noteOff, at: frame, source: source, target: target, note: note)
  }

  /// Voices that sound, as of the last block.
  public var voices: Int { Int(link.meters[.voices]) }
}
