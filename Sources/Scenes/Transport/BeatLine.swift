/// The position in beats as a function of the frame. Synchronized LFOs, delays, arpeggiators and the click read it.
///
/// The line is straight between two frames: it is computed from the frame, so nothing drifts. A change of tempo keeps
/// the current beat. A clock that leads corrects the line: a small deviation disappears within `correction` beats or less, on a
/// first segment of another slope; after that the line has the slope of the tempo. A large deviation is a jump.
public struct BeatLine: Sendable {
  /// Beats a second: the tempo, without corrections.
  public private(set) var perSecond: Float = 2
  /// The number of jumps: a reader that finds another number must not assume that the line was continuous.
  public private(set) var jumps: UInt32 = 0
  /// Frames a second.
  public let rate: Double
  /// The frame of the last change, which begins the first segment.
  public private(set) var frame: Int64 = 0
  // The beat there, and the slope of the first segment in beats a frame.
  private var beat: Double = 0
  private var slope: Double
  // The beginning of the second segment, whose slope is that of the tempo, in beats a frame.
  private var nextFrame: Int64 = 0
  private var nextBeat: Double = 0
  private var tempoSlope: Double

  /// Beats after which the numbers of a clock wrap around.
  public static var wrap: Double { @_noLocks get { 16_384 } }
  /// Beats within which a deviation from the clock that leads disappears; the second while its tempo changes.
  private static var correction: Double { @_noLocks get { 0.5 } }
  private static var quickCorrection: Double { @_noLocks get { 0.2 } }
  /// The largest deviation that is corrected without a jump, in beats: 125 ms at 120 beats a minute.
  private static var largestCorrection: Double { @_noLocks get { 0.25 } }
  /// Tolerance in frames: a frame may be this much too early, so that rounding makes no beat a frame late.
  private static var rounding: Double { @_noLocks get { 1e-5 } }

  /// A line at beat 0 and 120 beats a minute, for a sample rate in Hz.
  @_noLocks
  public init(rate: Double) {
    self.rate = rate
    slope = 2 / rate
    tempoSlope = 2 / rate
  }

  /// The beat at a frame. Before the last change of the line, the first segment is extended.
  @_noLocks
  public func beat(at frame: Int64) -> Double {
    if frame < nextFrame { return beat + Double(frame &- self.frame) * slope }
    return nextBeat + Double(frame &- nextFrame) * tempoSlope
  }

  /// The first frame that is not before a beat.
  @_noLocks
  public func frame(of beat: Double) -> Int64 {
    if beat < nextBeat { return self.frame &+ Self.ceiling((beat - self.beat) / slope) }
    return nextFrame &+ Self.ceiling((beat - nextBeat) / tempoSlope)
  }

  /// `frames`, rounded up to a whole frame within the tolerance `rounding`.
  @_noLocks
  public static func ceiling(_ frames: Double) -> Int64 {
    let bounded = max(-1e15, min(frames - rounding, 1e15))
    let whole = Int64(bounded)
    return Double(whole) < bounded ? whole &+ 1 : whole
  }

  /// Continues at a tempo in beats a minute, from a frame on.
  @_noLocks
  public mutating func follow(tempo: Float, frame: Int64) {
    let perSecond = max(tempo, 1) / 60
    if perSecond == self.perSecond { return }
    let beat = beat(at: frame)
    self.perSecond = perSecond
    tempoSlope = Double(perSecond) / rate
    begin(at: frame, beat)
  }

  /// Jumps to a beat at a frame, for a start or a change of position.
  @_noLocks
  public mutating func jump(to beat: Double, frame: Int64) {
    begin(at: frame, beat)
    jumps &+= 1
  }

  /// Corrects the line towards a clock that is at the beat `clock` at a frame. `clock` counts modulo `wrap`. A
  /// correction that `isQuick` takes less than half the time.
  @_noLocks
  public mutating func correct(to clock: Double, frame: Int64, isQuick: Bool = false) {
    let beat = beat(at: frame)
    let numbered = clock - beat
    let deviation = numbered - Double(Int64(numbered / Self.wrap + (numbered < 0 ? -0.5 : 0.5))) * Self.wrap
    let clock = beat + deviation
    if deviation.magnitude > Self.largestCorrection { return jump(to: clock, frame: frame) }
    (self.frame, self.beat) = (frame, beat)
    // A whole number of frames.
    let beats = isQuick ? Self.quickCorrection : Self.correction
    let frames = Double(max(Int64(beats / tempoSlope), 1))
    nextFrame = frame &+ Int64(frames)
    nextBeat = clock + frames * tempoSlope
    slope = (nextBeat - beat) / frames
  }

  /// Moves the nearest whole beat to a frame: smoothly if it is near, like a clock that leads.
  @_noLocks @inlinable
  public mutating func tap(at frame: Int64) {
    let beat = beat(at: frame)
    correct(to: Double(Int64(beat + (beat < 0 ? -0.5 : 0.5))), frame: frame)
  }

  /// Begins a straight line.
  @_noLocks
  private mutating func begin(at frame: Int64, _ beat: Double) {
    (self.frame, self.beat, slope) = (frame, beat, tempoSlope)
    (nextFrame, nextBeat) = (frame, beat)
  }
}
