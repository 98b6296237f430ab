import CRealtime

/// A quiet sine on the first pair of outputs, to test the path from the engine to the ears, regardless of sound,
/// level and equalizer: 440 Hz at -30 dBFS for two seconds, faded in and out.
struct TestTone {
  // Frames left, all frames of the tone, and frames of a fade.
  private var left = 0
  private let frames: Int
  private let ramp: Float
  // A point on a circle, and its rotation in one frame.
  private var point = SIMD2<Double>(1, 0)
  private let turn: SIMD2<Double>

  /// The frequency, Hz.
  static let hertz = 440.0
  /// The length, seconds.
  static let seconds = 2
  private static var amplitude: Float { @_noLocks get { 0.0316 } }

  init(rate: Double) {
    frames = TestTone.seconds * Int(rate)
    ramp = Float(rate) / 20
    // The cosine and the sine of the angle, from the tangent of half of it.
    let tangent = rt_tan64(Double.pi * TestTone.hertz / rate)
    turn = SIMD2(1 - tangent * tangent, 2 * tangent) / (1 + tangent * tangent)
  }

  /// Begins a tone; ignored while one sounds.
  @_noLocks
  mutating func start() {
    if left > 0 { return }
    (left, point) = (frames, SIMD2(1, 0))
  }

  /// Adds the tone to a run of frames.
  @_noLocks
  mutating func add(_ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames count: Int) {
    if left == 0 { return }
    var i = 0
    while i < count && left > 0 {
      let gain = min(1, min(Float(frames &- left), Float(left)) / ramp)
      let sample = Float(point.y) * TestTone.amplitude * gain
      l[i] += sample
      r[i] += sample
      point = SIMD2(point.x * turn.x - point.y * turn.y, point.x * turn.y + point.y * turn.x)
      left &-= 1
      i &+= 1
    }
  }
}

/// A request of the control thread for the test tone. A handle: copies refer to the same request.
public struct ToneRequest: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt64>

  /// No request.
  public init() {
    cell = .allocate(capacity: 1)
    cell.initialize(to: 0)
  }

  /// Frees the memory; no thread may use the value any more.
  public func deallocate() { cell.deallocate() }

  /// Requests a tone of two seconds, -30 dBFS, on the first pair of outputs, from the next block on. Any thread.
  public func ask() { rt_store(cell, 1) }

  /// Removes a request. True if there was one.
  @_noLocks
  func take() -> Bool { rt_load(cell) != 0 && rt_exchange(cell, 0) != 0 }
}
