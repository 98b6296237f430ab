import Parameters

@testable import Synth

/// An engine with all it needs, to be played by a test.
final class Player {
  let link: Link
  let engine: UnsafeMutablePointer<Engine>
  var left: [Float] = []
  var right: [Float] = []

  init(_ scene: Scene = .initial, rate: Double = 48_000) {
    link = Link(scene)
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: rate, link: link))
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
  }

  func send(
    _ kind: Event.Kind, at frame: Int = 0, source: Int = 0, target: UInt8 = 0, note: Int = 60,
    value: Float = 0
  ) {
    link.midi.push(
      Event(
        frame: Int64(frame), kind: kind, source: UInt8(source), target: target, note: UInt8(note),
        value: value))
  }

  func press(_ note: Int, at frame: Int = 0, source: Int = 0, velocity: Float = 0.8) {
    send(.noteOn, at: frame, source: source, note: note, value: velocity)
  }

  func lift(_ note: Int, at frame: Int = 0, source: Int = 0) {
    send(.noteOff, at: frame, source: source, note: note)
  }

  /// Renders and keeps `frames` frames, in blocks of `block`.
  func play(_ frames: Int, block: Int = 64) {
    var rest = frames
    var l = [Float](repeating: 0, count: block)
    var r = l
    while rest > 0 {
      let count = min(block, rest)
      l.withUnsafeMutableBufferPointer { l in
        r.withUnsafeMutableBufferPointer { r in
          guard let l = l.baseAddress, let r = r.baseAddress else { return }
          engine.pointee.render(left: l, right: r, frames: count)
        }
      }
      left += l[..<count]
      right += r[..<count]
      rest -= count
    }
  }

  var voices: Int { Int(link.meters[.voices]) }
}

extension Scene {
  /// The initial scene with some knobs of part 1 and the master turned, in the unit of the scene.
  static func with(_ knobs: [(String, Float)]) -> Scene {
    var scene = Scene.initial
    for (address, value) in knobs {
      guard let row = Table.rows.firstIndex(where: { $0.address == address }) else {
        preconditionFailure("no such knob: \(address)")
      }
      scene[Knob(row: row, part: 0)] = value
    }
    return scene
  }
}

extension [Float] {
  /// The largest step from sample to sample.
  var largestStep: Float { zip(self, dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
  /// The largest second difference: what a click has and a smooth wave has not.
  var largestCorner: Float {
    let steps = zip(self, dropFirst()).map { $1 - $0 }
    return steps.largestStep
  }
  /// The loudest sample.
  var peak: Float { map(abs).max() ?? 0 }
  /// The bits, for comparisons that mean it.
  var bits: [UInt32] { map(\.bitPattern) }
  /// Upward zero crossings a second at `rate`.
  func pitch(rate: Double) -> Double {
    var crossings: [Double] = []
    for i in 1..<count where self[i - 1] < 0 && self[i] >= 0 {
      crossings.append(Double(i - 1) + Double(self[i - 1] / (self[i - 1] - self[i])))
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
    return rate * Double(crossings.count - 1) / (last - first)
  }
}

/// Equality of whole recordings, without a failure that prints them.
func isSame(_ a: [UInt32], _ b: [UInt32]) -> Bool { a == b }
