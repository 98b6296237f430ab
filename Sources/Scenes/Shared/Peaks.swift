import CRealtime

/// Peaks of the parts and of the outputs 1 and 2, which the audio thread measures only while they are shown. A
/// handle: copies refer to the same peaks.
public struct Peaks: @unchecked Sendable {
  // Whether peaks are measured; then the peaks since the last `take`, as the bits of a Float, for each signal.
  private let cells: UnsafeMutablePointer<UInt64>

  /// The measured signal: a part, after its strip, or an output, after the limiter.
  public enum Signal: Sendable {
    case part(Int), left, right

    fileprivate var cell: Int {
      @_noLocks get {
        switch self {
        case .left: 1
        case .right: 2
        case .part(let part): 3 &+ part
        }
      }
    }
  }

  /// All peaks at 0, with the measurement off.
  public init() {
    cells = .allocate(capacity: 3 + Limits.parts)
    cells.initialize(repeating: 0, count: 3 + Limits.parts)
  }

  /// Frees the memory; no thread may use the peaks any more.
  public func deallocate() { cells.deallocate() }

  /// Whether peaks are measured. Any thread.
  public var isOn: Bool {
    @_noLocks get { rt_load(cells) != 0 }
    nonmutating set { rt_store(cells, newValue ? 1 : 0) }
  }

  /// Returns the loudest sample of a signal since the last call, 1 is full scale; 0 while nothing is measured. Only for
  /// one reader.
  public func take(_ signal: Signal) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: rt_exchange(cells + signal.cell, 0)))
  }

  /// Raises the peak of a signal to `peak` if that is larger. Audio thread.
  @_noLocks
  public func raise(_ signal: Signal, to peak: Float) {
    rt_raise(cells + signal.cell, UInt64(peak.bitPattern))
  }
}
