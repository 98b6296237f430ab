import Parameters
import Scenes
import Synth

/// An engine without a device, played by a test or a benchmark. It uses only functions that engines of older commits
/// have as well, because they are measured beside this one (Tests/Benchmarks/trees.py).
open class Player {
  /// The link between the engine and the test.
  public let link: Link
  /// The engine, freed with the player.
  public let engine: UnsafeMutablePointer<Engine>
  /// The samples that `play` has rendered so far, left.
  public var left: [Float] = []
  /// The samples that `play` has rendered so far, right.
  public var right: [Float] = []
  /// The last block that `render(_:blocks:)` has rendered.
  public let block: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)

  /// Creates an engine that plays `scene`. If `running`, scenes that the engine may still read are kept, as with a
  /// device.
  public convenience init(_ scene: Scene = .initial, rate: Double = 48_000, running: Bool = false) {
    self.init(scene, running: running) { Engine(rate: rate, link: $0) }
  }

  /// Creates a player for the engine that `make` returns.
  public convenience init(_ scene: Scene, running: Bool, engine make: (Link) -> Engine) {
    self.init(Link(scene), running: running, engine: make)
  }

  /// Creates a player for the engine that `make` returns, with an existing link.
  public init(_ link: Link, running: Bool, engine make: (Link) -> Engine) {
    self.link = link
    engine = .allocate(capacity: 1)
    engine.initialize(to: make(link))
    block = (.allocate(capacity: Limits.period), .allocate(capacity: Limits.period))
    link.scene.audioSide.setRunning(running)
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    block.left.deallocate()
    block.right.deallocate()
  }

  /// Renders blocks of `frames` (up to `Limits.period`) into `block`, each one overwriting the previous one.
  public func render(_ frames: Int, blocks: Int = 1) {
    for _ in 0..<blocks { render(block.left, block.right, frames) }
  }

  /// Renders some frames into two buffers.
  open func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    engine.pointee.render(left: left, right: right, frames: frames)
  }

  /// Called by `play` after each block with the number of rendered frames, for subclasses.
  open func keep(_ frames: Int) {}

  /// Renders `frames` frames in blocks of `block` and appends them to `left` and `right`.
  public func play(_ frames: Int, block: Int = 64) {
    var rest = frames
    var (l, r) = ([Float](repeating: 0, count: block), [Float](repeating: 0, count: block))
    while rest > 0 {
      let count = min(block, rest)
      l.withUnsafeMutableBufferPointer { l in
        r.withUnsafeMutableBufferPointer { r in
          guard let l = l.baseAddress, let r = r.baseAddress else { return }
          render(l, r, count)
        }
      }
      left += l[..<count]
      right += r[..<count]
      keep(count)
      rest -= count
    }
  }

  /// Sends an event, as the MIDI thread does; frame 0 is at once, target 0 is MIDI channel 1.
  public func send(
    _ kind: Event.Kind, at frame: Int = 0, source: Int = 0, target: UInt8 = 0, note: Int = 60,
    value: Float = 0
  ) {
    link.midi.push(
      Event(
        frame: Int64(frame), kind: kind, source: UInt8(source), target: target, note: UInt8(note),
        value: value))
  }

  /// Presses a key; frame 0 is at once, target 0 is MIDI channel 1, `velocity` is 0…1.
  public func press(
    _ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0, velocity: Float = 0.8
  ) {
    send(.noteOn, at: frame, source: source, target: target, note: note, value: velocity)
  }

  /// Releases a key; frame 0 is at once, target 0 is MIDI channel 1.
  public func release(_ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0) {
    send(.noteOff, at: frame, source: source, target: target, note: note)
  }

  /// The number of sounding voices after the last block.
  public var voices: Int { Int(link.meters[.voices]) }
}
