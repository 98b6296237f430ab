import CRealtime

/// Health and level figures that the audio thread writes and any thread reads. A handle: copies refer to the same
/// meters.
public struct Meters: @unchecked Sendable {
  /// The figures. Counters only grow; other figures are the latest value.
  public enum Figure: Int, CaseIterable, Sendable {
    /// Frames rendered since the start.
    case frames
    /// Keys struck since the start.
    case strokes
    /// Blocks rendered since the start.
    case blocks
    /// Voices that sound, without stolen voices that fade.
    case voices
    /// Sounds that play or ring on, including those that recalls have replaced.
    case sounds
    /// The largest number of simultaneous voices since the start.
    case mostVoices
    /// Voices stolen since the start.
    case stolen
    /// Notes refused because not even a fading lane was free.
    case refused
    /// Times that the output was not a number and the engine restarted. Anything but 0 is a defect.
    case faults
    /// The loudest sample since the last `takePeak`, as the bits of a Float.
    case peak
    /// The loudest sample since the last `takeShownPeak`, as the bits of a Float.
    case shownPeak
    /// The greatest reduction by a limiter since the last `takeReduction`, as a factor in the bits of a Float; 0 when
    /// there was none.
    case reduction
    /// Blocks that the device missed: xruns of a card, missed deadlines of the clock.
    case xruns
    /// Time of the last xrun, in nanoseconds of the monotonic clock.
    case lastXrun
    /// Render time of the last block, in nanoseconds.
    case blockTime
    /// Render time of the slowest block since the start, in nanoseconds.
    case worstBlockTime
    /// Render time of all blocks together, in nanoseconds.
    case busy
    /// Voices that may sound at once: `Limits.voices`, unless the machine is too slow for them.
    case limit
    /// Voices ended because the machine was too slow for them.
    case shed
    /// The largest lateness of a key's event, in frames; 0 when all were played in time.
    case lateKey
    /// Page faults of the audio thread since its first block. Anything but 0 means that memory was not ready.
    case pageFaults
    /// Events of songs dropped because the ring of parts 9 to 16 was full. Counted by the thread that sends them.
    case songDropped
    /// 1 when the audio thread has real-time priority.
    case realtime
    /// 1 while a sound card plays, 0 while the clock runs or there is no output.
    case card
  }

  @usableFromInline let cells: UnsafeMutablePointer<UInt64>

  /// Creates meters with all figures at zero.
  public init() {
    cells = .allocate(capacity: Figure.allCases.count)
    cells.initialize(repeating: 0, count: Figure.allCases.count)
    set(.limit, UInt64(Limits.voices))
  }

  /// Frees the memory; no thread may use the meters any more.
  public func deallocate() { cells.deallocate() }

  /// The current value of a figure. Any thread.
  public subscript(figure: Figure) -> UInt64 { rt_load(cells + figure.rawValue) }

  /// Returns the loudest sample since the last call, 1 is full scale. Only for one reader.
  public func takePeak() -> Float { take(.peak) }

  /// Returns the loudest sample since the last call, 1 is full scale. Only for the meter that surfaces show.
  public func takeShownPeak() -> Float { take(.shownPeak) }

  /// Returns the greatest reduction by the limiters since the last call, as a factor: 1 is none, 2 is 6 dB. Only for
  /// one reader.
  public func takeReduction() -> Float { max(1, take(.reduction)) }

  private func take(_ figure: Figure) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: rt_exchange(cells + figure.rawValue, 0)))
  }

  // MARK: - From the audio thread

  /// Sets a figure.
  @_noLocks @inlinable public func set(_ figure: Figure, _ value: UInt64) {
    rt_store(cells + figure.rawValue, value)
  }
  /// Sets a figure if `value` is larger.
  @_noLocks @inlinable public func raise(_ figure: Figure, to value: UInt64) {
    rt_raise(cells + figure.rawValue, value)
  }
  /// Adds to a figure.
  @_noLocks @inlinable public func add(_ figure: Figure, _ value: UInt64) {
    _ = rt_add(cells + figure.rawValue, value)
  }
}
