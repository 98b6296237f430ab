import Song
import Synth

/// The course of a song along the beat line: which of its steps are due, and at which frames. It has no clock of its own:
/// frames are those of the engine.
///
/// A step of the song at a beat is at the first frame that is not before the beat of the line, as a step of an
/// arpeggiator is. Where the song leads, it knows the line before the engine does: both apply the same changes at the
/// same frames.
struct SongCourse {
  /// Who determines the beat line.
  enum Timing {
    /// The song: its beats are those of the line.
    case leads
    /// Another clock, or `/tempo`: the song goes on with the line, a whole number of beats apart.
    case follows
    /// A song without beats goes by a line of its own.
    case free
  }

  private static let source = UInt8(Limits.songSource)
  /// The largest movement of the line that is a correction and no jump, in beats.
  private static let largestCorrection = 0.25
  /// After how many seconds the engine has certainly applied what it was told.
  private static let settling = 0.2

  private(set) var playback: SongPlayback
  private(set) var timing = Timing.free
  /// Whether the song goes on from its end at its beginning.
  var loops = false
  /// Events for each beginning, before those of the song.
  var preamble: [Event] = []
  private var line = BeatLine(rate: 48_000)
  // Beats by which the line is ahead of the song.
  private var shift = 0.0
  // What is sent at the frame at which the song begins; empty later.
  private var opening: [Event] = []
  // Whether the song has led since it was begun, until it is stopped or follows.
  private var hasLed = false
  // The tempo that the song said last, and the beat in which it was compared with the one that is shown.
  private var (said, compared) = (Float(0), 0.0)
  // The frame of the last word about the line, and the frame that was looked at last.
  private var (spoken, looked) = (Int64(0), Int64(0))
  // The line after the start of a device, and the jumps of the engine's line before it.
  private var predicted: (line: BeatLine, jumps: UInt32)?

  /// A song at its beginning, which does not play.
  init(_ playback: SongPlayback) { self.playback = playback }

  /// The beat of the song at a frame, from 0 to its end.
  func beat(at frame: Int64) -> Double { max(0, min(place(at: frame), playback.length)) }

  /// The beat of the song at a frame, which may be before its beginning, and behind its end while it loops.
  private func place(at frame: Int64) -> Double { line.beat(at: frame) - shift }

  /// The frame of a beat of the song.
  func frame(of beat: Double) -> Int64 { line.frame(of: beat + shift) }

  /// The frame of the next step, or of the end.
  var nextFrame: Int64 { opening.first?.frame ?? frame(of: playback.next ?? end) }

  /// The beat at which the song ends. One that loops has whole beats.
  private var end: Double { loops ? max(1, playback.length.rounded(.up)) : playback.length }

  /// Whether the song has ended at a frame.
  func hasEnded(at frame: Int64) -> Bool {
    !loops && opening.isEmpty && playback.next == nil && frame >= self.frame(of: playback.length)
  }

  // MARK: - Beginning

  /// Begins at a beat of the song and at a frame, or if it follows at the next frame at which the line is at the same
  /// part of a beat. Wheels, pedals, programs and the like are sent at once.
  mutating func begin(
    at beat: Double, frame: Int64, _ timing: Timing, _ clock: BeatClock, now: Int64, send: (Event) -> Void
  ) {
    (self.timing, line, predicted, opening, looked) = (timing, clock.line, nil, [], now)
    chase(to: beat, at: now, send)
    switch timing {
    case .follows: shift = (line.beat(at: frame) - beat - 1e-6).rounded(.up)
    case .leads, .free:
      shift = 0
      lead(to: beat, at: frame)
    }
  }

  /// Begins at a frame at which a device starts at a beat, or continues where the line is if `start` is nil.
  mutating func begin(
    at beat: Double, frame: Int64, start: Double?, _ clock: BeatClock, now: Int64, send: (Event) -> Void
  ) {
    (timing, line, predicted, opening, looked) = (.follows, clock.line, nil, [], now)
    hasLed = false
    if let start {
      line.jump(to: start, frame: frame)
      predicted = (line, clock.line.jumps)
    }
    shift = (line.beat(at: frame) - beat).rounded()
    spoken = frame
    chase(to: place(at: frame), at: now, send)
  }

  /// Sends what stands at a beat of the song.
  private mutating func chase(to beat: Double, at frame: Int64, _ send: (Event) -> Void) {
    for event in preamble { send(event.at(frame)) }
    for case .event(let event) in playback.seek(to: beat) { send(event.at(frame)) }
  }

  /// Makes the line that of the song, from a beat and a frame on.
  private mutating func lead(to beat: Double, at frame: Int64) {
    let tempo = BeatClock.clamped(playback.tempo(at: beat))
    let start = Event.clock(.clockStart, beat: beat, source: Self.source, frame: frame)
    line.follow(tempo: tempo, frame: frame)
    // The event has the beat rounded and within 16,384, and the engine's line has that.
    line.jump(to: start.beat, frame: frame)
    shift = (start.beat - beat).rounded()
    if timing == .free { return }
    (spoken, said) = (frame, tempo)
    opening = [
      Event(frame: frame, kind: .clockTempo, source: Self.source, value: tempo), start,
      Event(frame: frame, kind: .tempo, source: Self.source, value: tempo),
    ]
  }

  // MARK: - Playing

  /// Sends everything that is due at a frame, but no more than `most` steps. Returns false if there may be more.
  mutating func play(to frame: Int64, most: Int, send: (Event) -> Void) -> Bool {
    var left = most
    while left > 0 {
      left -= 1
      if let first = opening.first {
        if first.frame > frame { return true }
        for event in opening { send(event) }
        (opening, hasLed) = ([], true)
      }
      guard let beat = playback.next else {
        if !loops || self.frame(of: end) > frame { return true }
        wrap(send)
        continue
      }
      let due = self.frame(of: beat)
      if due > frame { return true }
      switch playback.take(by: beat)?.step {
      case .event(let event)?: send(event.at(due))
      case .tempo(let tempo)?: follow(tempo, at: due, send)
      case nil: return true
      }
    }
    return false
  }

  /// A change of tempo, which does nothing to a song that follows.
  private mutating func follow(_ tempo: Float, at frame: Int64, _ send: (Event) -> Void) {
    if timing == .follows { return }
    let tempo = BeatClock.clamped(tempo)
    line.follow(tempo: tempo, frame: frame)
    if timing == .free { return }
    (spoken, said) = (frame, tempo)
    send(Event(frame: frame, kind: .clockTempo, source: Self.source, value: tempo))
    send(Event(frame: frame, kind: .tempo, source: Self.source, value: tempo))
  }

  /// Goes from the end to the beginning.
  private mutating func wrap(_ send: (Event) -> Void) {
    let frame = frame(of: end)
    send(Event(frame: frame, kind: .sourceGone, source: Self.source))
    chase(to: 0, at: frame, send)
    if timing == .follows { shift += end } else { lead(to: 0, at: frame) }
  }

  // MARK: - The line of the engine

  /// Follows the engine's clock, up to a frame at which nothing is sent yet, and changes its timing.
  mutating func look(
    at clock: BeatClock, frame: Int64, _ timing: Timing, rate: Double, send: (Event) -> Void
  ) {
    defer { looked = frame }
    if timing != self.timing { change(to: timing, clock, at: frame, send) }
    switch self.timing {
    case .free: break
    case .leads:
      if !opening.isEmpty || Double(frame - spoken) < Self.settling * rate { break }
      // They are equal, unless the engine was told too late.
      if !clock.isLedBySong {
        lead(clock, at: frame, send)
      } else if let tempo = move(to: clock.line, at: looked, send) {
        follow(tempo, at: frame, send)
      }
    case .follows:
      var line = clock.line
      if let predicted {
        let isLate = Double(frame - spoken) > Self.settling * rate
        if predicted.jumps == clock.line.jumps, !isLate {
          line = predicted.line
        } else {
          self.predicted = nil
        }
      }
      move(to: line, at: looked, send)
    }
  }

  /// Says the tempo of a song that leads once more if another one is shown, because somebody has moved the knob. Looks
  /// once a beat, as the clock of a device is shown.
  mutating func compare(shown: @autoclosure () -> Float, at frame: Int64, send: (Event) -> Void) {
    guard timing == .leads, opening.isEmpty else { return }
    let beat = place(at: frame).rounded(.down)
    if beat == compared { return }
    compared = beat
    if shown() != said { send(Event(frame: frame, kind: .tempo, source: Self.source, value: said)) }
  }

  private mutating func change(
    to timing: Timing, _ clock: BeatClock, at frame: Int64, _ send: (Event) -> Void
  ) {
    if self.timing == .leads { send(Event(frame: frame, kind: .clockGone, source: Self.source)) }
    // What would take the lead is not sent any more: the song begins with the next beat, as one that follows.
    if let first = opening.first?.frame {
      let beat = place(at: first)
      line = clock.line
      shift = (line.beat(at: first) - beat - 1e-6).rounded(.up)
    }
    (self.timing, predicted, opening, hasLed) = (timing, nil, [], false)
    if timing == .leads { lead(clock, at: frame, send) }
  }

  /// Takes the lead while the song plays: the line keeps its beat if the song is at the same part of one.
  private mutating func lead(_ clock: BeatClock, at frame: Int64, _ send: (Event) -> Void) {
    let beat = place(at: frame)
    let tempo = BeatClock.clamped(playback.tempo(at: beat))
    let ahead = clock.line.beat(at: frame) - beat
    line = clock.line
    line.follow(tempo: tempo, frame: frame)
    send(Event(frame: frame, kind: .clockTempo, source: Self.source, value: tempo))
    if abs(ahead - ahead.rounded()) < 1e-6 {
      shift = ahead.rounded()
    } else {
      let start = Event.clock(.clockStart, beat: beat, source: Self.source, frame: frame)
      send(start)
      line.jump(to: start.beat, frame: frame)
      shift = (start.beat - beat).rounded()
    }
    send(Event(frame: frame, kind: .tempo, source: Self.source, value: tempo))
    (spoken, said, hasLed) = (frame, tempo, true)
  }

  /// Goes on with a line. After a jump the song stays at the nearest place that is at the same part of a beat: it waits,
  /// or leaves out the notes in between. Returns the last tempo in between; nil if there is none.
  @discardableResult
  private mutating func move(to line: BeatLine, at frame: Int64, _ send: (Event) -> Void) -> Float? {
    let moved = line.beat(at: frame) - self.line.beat(at: frame)
    self.line = line
    if abs(moved) <= Self.largestCorrection { return nil }
    shift += moved.rounded()
    let beat = place(at: frame)
    var passed: Float?
    while let (_, step) = playback.take(by: beat) {
      switch step {
      case .event(let event): if event.kind != .noteOn || event.value == 0 { send(event.at(frame)) }
      case .tempo(let tempo): passed = tempo
      }
    }
    return passed
  }

  // MARK: - The end

  /// Stops at a frame: notes end, and if `stopsTransport`, the transport of a song that has led stops. Returns the beat.
  mutating func stop(at frame: Int64, stopsTransport: Bool, send: (Event) -> Void) -> Double {
    let beat = opening.isEmpty ? beat(at: frame) : beat(at: opening[0].frame)
    if timing == .leads, hasLed, stopsTransport {
      send(Event(frame: frame, kind: .clockStop, source: Self.source))
    }
    // A seek goes on with the transport of the song.
    if stopsTransport || hasEnded(at: frame) { hasLed = false }
    send(Event(frame: frame, kind: .sourceGone, source: Self.source))
    (opening, predicted) = ([], nil)
    return beat
  }
}

extension Event {
  /// The event at another frame.
  fileprivate func at(_ frame: Int64) -> Event {
    var event = self
    event.frame = frame
    return event
  }
}
