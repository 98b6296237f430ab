import CRealtime

/// Health and level figures that audio writes and anyone reads. A value of pointers.
public struct Meters: @unchecked Sendable {
  /// The figures. Counters only grow; the others are the latest value.
  public enum Figure: Int, CaseIterable, Sendable {
    /// Frames rendered since the start.
    case frames
    /// Blocks rendered since the start.
    case blocks
    /// Voices that sound, without those that fade because they were stolen.
    case voices
    /// Sounds that play or ring on, those that recalls have replaced among them.
    case sounds
    /// Most voices at once since the start.
    case mostVoices
    /// Voices stolen.
    case stolen
    /// Notes refused because not even a fading lane was free.
    case refused
    /// Times that the sound was no number and the engine started afresh: 0, or a defect.
    case faults
    /// The loudest sample since it was last taken, as the bits of a Float.
    case peak
    /// The same for the meter that surfaces show, which takes it for itself.
    case shownPeak
    /// How many times louder the limiter would have had to let something through, since it was last taken, as the bits
    /// of a Float; 0 when it let everything through as it was.
    case reduction
    /// Blocks that the device lacked: xruns of a card, missed deadlines against the clock.
    case xruns
    /// When the last of them was, nanoseconds of the monotonic clock.
    case lastXrun
    /// Nanoseconds that the last block took to render.
    case blockTime
    /// The longest block since the start, nanoseconds.
    case worstBlockTime
    /// Nanoseconds that all blocks took to render.
    case busy
    /// Voices that may sound at once: all, unless the machine is too slow for them.
    case limit
    /// Voices that were ended because the machine was too slow for them.
    case shed
    /// The most frames that a key's event came too late to be played in time.
    case lateKey
    /// Page faults of the audio thread since its first block: 0, or memory was not ready.
    case pageFaults
    /// 1 when the audio thread has real-time priority.
    case realtime
    /// 1 while a sound card plays, 0 while the clock or nothing does.
    case card
  }

  private let cells: UnsafeMutablePointer<UInt64>

  /// All figures at zero.
  public init() {
    cells = .allocate(capacity: Figure.allCases.count)
    cells.initialize(repeating: 0, count: Figure.allCases.count)
    set(.limit, UInt64(Limits.voices))
  }

  /// Frees the memory; nobody may use the meters any more.
  public func deallocate() { cells.deallocate() }

  /// The figure now. Any thread.
  public subscript(figure: Figure) -> UInt64 { rt_load(cells + figure.rawValue) }

  /// The loudest sample since the last call, 1 is full scale. One reader.
  public func takePeak() -> Float { take(.peak) }

  /// The loudest sample since the last call, 1 is full scale. The reader is the meter that surfaces show.
  public func takeShownPeak() -> Float { take(.shownPeak) }

  /// The most that the limiters turned anything down by since the last call, as a factor: 1 is not at all, 2 is 6 dB.
  /// One reader.
  public func takeReduction() -> Float { max(1, take(.reduction)) }

  private func take(_ figure: Figure) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: rt_exchange(cells + figure.rawValue, 0)))
  }

  // MARK: - From the audio thread

  /// Writes a figure.
  @_noLocks public func set(_ figure: Figure, _ value: UInt64) { rt_store(cells + figure.rawValue, value) }
  /// Writes a figure if it is larger than what stands there.
  @_noLocks public func raise(_ figure: Figure, to value: UInt64) { rt_raise(cells + figure.rawValue, value) }
  /// Counts on.
  @_noLocks public func add(_ figure: Figure, _ value: UInt64) { _ = rt_add(cells + figure.rawValue, value) }
}
