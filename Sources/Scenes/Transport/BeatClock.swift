import CRealtime

/// The beat line of the instrument, the source that controls it, and whether the transport runs.
public struct BeatClock: Sendable {
  /// The position in beats.
  public private(set) var line: BeatLine
  /// False after a stop: latched arpeggios, sequences and the click pause, although the beat line continues.
  public private(set) var isRunning = true
  /// True once a source has started or continued the transport. It runs from the beginning, before any source has
  /// done so.
  public private(set) var hasStarted = false
  /// The frame of the last start, stop or continue.
  public private(set) var switched: Int64 = 0
  /// Beats of the current count-in, counted from beat 0 before the transport starts; 0 without a count-in.
  public private(set) var countIn: Double = 0
  /// The source whose clock leads; `noLeader` while the tempo is that of the scene.
  public private(set) var leader = BeatClock.noLeader
  /// Whether a song with time signatures plays, whose bars count.
  public private(set) var hasMeter = false
  // The last tempo of the scene, even one that was not followed because a clock led.
  private var sceneTempo: Float = 0
  // The bars of the last song.
  private var meter = Meter(quarters: 4)

  /// No source.
  public static var noLeader: UInt8 { @_noLocks get { 255 } }

  /// A running clock at beat 0, for a sample rate in Hz.
  @_noLocks
  public init(rate: Double) { line = BeatLine(rate: rate) }

  /// A clock at beat 0 that runs if another one does.
  @_noLocks
  public init(rate: Double, after other: BeatClock) {
    line = BeatLine(rate: rate)
    (isRunning, hasStarted) = (other.isRunning, other.hasStarted)
  }

  /// Follows the tempo of the scene, in beats a minute, unless a clock leads. After a clock has gone, its tempo stays
  /// until that of the scene changes.
  @_noLocks
  public mutating func follow(sceneTempo tempo: Float, frame: Int64) {
    if tempo == sceneTempo { return }
    sceneTempo = tempo
    if leader == Self.noLeader { line.follow(tempo: tempo, frame: frame) }
  }

  /// Follows an event of a clock, at its frame.
  @_noLocks
  public mutating func follow(_ event: Event, frame: Int64) {
    switch event.kind {
    case .clockTempo:
      // A device takes the lead from any other source, a song takes it from none.
      if event.source == UInt8(truncatingIfNeeded: Limits.songSource), !mayLead(event.source) { break }
      if countIn > 0 { resume(frame: frame) }
      leader = event.source
      line.follow(tempo: Self.clamped(event.value), frame: frame)
    case .clockBeat:
      if event.source == leader { line.correct(to: event.beat, frame: frame, isQuick: event.target != 0) }
    case .clockStart:
      if mayLead(event.source) { start(at: event.beat, frame: frame) }
    case .clockCountIn:
      if mayLead(event.source) {
        line.jump(to: 0, frame: frame)
        countIn = Double(max(1, min(event.value, Self.longestCountIn)))
        run(false, frame: frame)
      }
    case .clockStop: if mayLead(event.source) { stop(frame: frame) }
    case .clockContinue: if mayLead(event.source) { resume(frame: frame) }
    case .clockTap: if leader == Self.noLeader { line.tap(at: frame) }
    case .clockGone: lose(event.source, frame: frame)
    case .clockMeter: (meter, hasMeter) = (Meter(event), true)
    default: break
    }
  }

  /// Starts the transport at beat 0 if the count-in ends at this frame. Returns the frames that are left of it.
  @_noLocks
  public mutating func count(at frame: Int64) -> Int64 {
    let left = line.frame(of: countIn) &- frame
    if left <= 0 { start(at: 0, frame: frame) }
    return max(left, 0)
  }

  /// The clock of a source no longer leads. The tempo of a device stays. After a song, the tempo of the scene
  /// applies: the song sets that as well, but it may have been changed since, and its range is smaller than that of a
  /// song's tempo.
  @_noLocks
  public mutating func lose(_ source: UInt8, frame: Int64) {
    if source != leader { return }
    let wasSong = isLedBySong
    leader = Self.noLeader
    if wasSong, sceneTempo > 0 { line.follow(tempo: sceneTempo, frame: frame) }
  }

  /// The bars of the song end with it.
  @_noLocks
  public mutating func endMeter() { hasMeter = false }

  /// The bars that count: those of the song or, without, `quarters` beats from the beginning of the line, as in a
  /// count-in.
  @_noLocks
  public func bars(quarters: Int) -> Meter {
    hasMeter && countIn == 0 ? meter : Meter(quarters: quarters)
  }

  /// A tempo within those that a clock may have, 3…1000 beats a minute.
  @_noLocks
  public static func clamped(_ tempo: Float) -> Float { max(slowest, min(tempo, fastest)) }

  /// The slowest and the fastest clock, in beats a minute. No song is slower.
  private static var slowest: Float { @_noLocks get { 3 } }
  private static var fastest: Float { @_noLocks get { 1_000 } }
  /// Beats of the longest count-in.
  private static var longestCountIn: Float { @_noLocks get { 256 } }

  @_noLocks
  private mutating func start(at beat: Double, frame: Int64) {
    line.jump(to: beat, frame: frame)
    resume(frame: frame)
  }

  @_noLocks
  private mutating func stop(frame: Int64) {
    countIn = 0
    run(false, frame: frame)
  }

  @_noLocks
  private mutating func resume(frame: Int64) {
    countIn = 0
    run(true, frame: frame)
    hasStarted = true
  }

  @_noLocks
  private mutating func run(_ isRunning: Bool, frame: Int64) {
    (self.isRunning, switched) = (isRunning, frame)
  }

  /// Whether a source may start and stop the transport: the source that leads always may, any other unless a device
  /// leads.
  @_noLocks @inlinable
  public func mayLead(_ source: UInt8) -> Bool { leader == source || !isLedByDevice }

  /// Whether the clock of a device leads.
  public var isLedByDevice: Bool {
    @_noLocks @inlinable get {
      leader != Self.noLeader && leader != UInt8(truncatingIfNeeded: Limits.songSource)
    }
  }

  /// Whether a song leads.
  public var isLedBySong: Bool {
    @_noLocks @inlinable get { leader == UInt8(truncatingIfNeeded: Limits.songSource) }
  }
}

/// A copy of the beat clock for other threads. The audio thread writes it and never waits for a reader. A handle:
/// copies refer to the same clock.
public struct SharedBeatClock: @unchecked Sendable {
  // Sequence (odd while written), then the bytes of the clock.
  private let cells: UnsafeMutablePointer<UInt64>
  // The writer's copy, whose bytes are published.
  private let copy: UnsafeMutablePointer<BeatClock>
  // The size of a clock is a multiple of 8 bytes, which a test checks.
  static var count: Int { @_noLocks get { MemoryLayout<BeatClock>.size / 8 } }

  /// A clock at beat 0.
  public init() {
    cells = .allocate(capacity: SharedBeatClock.count + 1)
    cells.initialize(repeating: 0, count: SharedBeatClock.count + 1)
    copy = .allocate(capacity: 1)
    copy.initialize(to: BeatClock(rate: 48_000))
    publish(copy.pointee)
  }

  /// Frees the memory; no thread may use it any more.
  public func deallocate() {
    cells.deallocate()
    copy.deallocate()
  }

  /// Publishes the clock. Audio thread.
  @_noLocks
  public func publish(_ clock: BeatClock) {
    copy.pointee = clock
    let words = UnsafeRawPointer(copy)
    let sequence = rt_load(cells)
    rt_store(cells, sequence &+ 1)
    rt_fence()
    for word in 0..<SharedBeatClock.count {
      rt_store(cells + (word &+ 1), words.load(fromByteOffset: 8 &* word, as: UInt64.self))
    }
    rt_store(cells, sequence &+ 2)
  }

  /// The clock that was published last. Any thread.
  public var now: BeatClock {
    var copy = BeatClock(rate: 48_000)
    while true {
      let sequence = rt_load(cells)
      withUnsafeMutablePointer(to: &copy) {
        let words = UnsafeMutableRawPointer($0)
        for word in 0..<SharedBeatClock.count {
          words.storeBytes(of: rt_load(cells + (word + 1)), toByteOffset: 8 * word, as: UInt64.self)
        }
      }
      rt_fence()
      if sequence & 1 == 0, sequence == rt_load(cells) { return copy }
    }
  }
}
