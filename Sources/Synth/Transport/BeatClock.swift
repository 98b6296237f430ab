/// The beat line of the instrument, who determines it, and whether it runs.
public struct BeatClock: Sendable {
  /// The position in beats.
  public private(set) var line: BeatLine
  /// False after a stop: latched arpeggios, sequences and the click pause, although the beat line goes on.
  public private(set) var isRunning = true
  /// Beats that are counted from beat 0 before the transport starts; 0 while none are.
  public private(set) var countIn: Double = 0
  /// The source whose clock leads; `noLeader` while the tempo is that of the scene.
  public private(set) var leader = BeatClock.noLeader
  // The tempo of the scene that was followed last, or that a clock left behind.
  private var sceneTempo: Float = 0

  /// No source.
  public static var noLeader: UInt8 { @_noLocks get { 255 } }

  /// A running clock at beat 0, for a sample rate in Hz.
  @_noLocks
  public init(rate: Double, isRunning: Bool = true) {
    line = BeatLine(rate: rate)
    self.isRunning = isRunning
  }

  /// Follows the tempo of the scene, in beats a minute, unless a clock leads. After a clock has gone, its tempo stays
  /// until that of the scene changes.
  @_noLocks
  mutating func follow(sceneTempo tempo: Float, frame: Int64) {
    if tempo == sceneTempo { return }
    sceneTempo = tempo
    if leader == Self.noLeader { line.follow(tempo: tempo, frame: frame) }
  }

  /// Follows an event of a clock, at its frame.
  @_noLocks
  mutating func follow(_ event: Event, frame: Int64) {
    switch event.kind {
    case .clockTempo:
      if countIn > 0 { (countIn, isRunning) = (0, true) }
      leader = event.source
      line.follow(tempo: max(Self.slowest, min(event.value, Self.fastest)), frame: frame)
    case .clockBeat: if event.source == leader { line.correct(to: event.beat, frame: frame) }
    case .clockStart:
      if mayLead(event.source) { start(at: event.beat, frame: frame) }
    case .clockCountIn:
      if mayLead(event.source) {
        line.jump(to: 0, frame: frame)
        (countIn, isRunning) = (Double(max(1, min(event.value, Self.longestCountIn))), false)
      }
    case .clockStop: if mayLead(event.source) { (countIn, isRunning) = (0, false) }
    case .clockContinue: if mayLead(event.source) { (countIn, isRunning) = (0, true) }
    case .clockTap: if leader == Self.noLeader { line.tap(at: frame) }
    case .clockGone: lose(event.source)
    default: break
    }
  }

  /// Starts the transport at beat 0 if the count-in ends at this frame. Returns the frames that are left of it.
  @_noLocks
  mutating func count(at frame: Int64) -> Int64 {
    let left = line.frame(of: countIn) &- frame
    if left <= 0 { start(at: 0, frame: frame) }
    return max(left, 0)
  }

  /// The clock of a source no longer leads; its tempo stays.
  @_noLocks
  mutating func lose(_ source: UInt8) {
    if source == leader { leader = Self.noLeader }
  }

  /// The slowest and the fastest clock, in beats a minute.
  private static var slowest: Float { @_noLocks get { 5 } }
  private static var fastest: Float { @_noLocks get { 1_000 } }
  /// Beats of the longest count-in.
  private static var longestCountIn: Float { @_noLocks get { 256 } }

  @_noLocks
  private mutating func start(at beat: Double, frame: Int64) {
    line.jump(to: beat, frame: frame)
    (countIn, isRunning) = (0, true)
  }

  /// Whether a source may start and stop: any while no clock leads.
  @_noLocks
  func mayLead(_ source: UInt8) -> Bool { leader == Self.noLeader || leader == source }
}
