import Scenes
import Song

/// The course of a song along the beat line: which of its steps are due, and at which frames. It has no clock of its
/// own: frames are those of the engine.
///
/// A step is due at the first frame that is not before its beat on the line, like a step of an arpeggiator. If the
/// song leads, it knows the line before the engine does: both apply the same changes at the same frames.
struct SongCourse {
  /// The leader of the beat line.
  enum Timing {
    /// The song: its beats are those of the line.
    case leads
    /// Another clock, or `/tempo`: the song runs along the line, a whole number of beats apart.
    case follows
    /// A line of its own, for a song without beats.
    case free
  }

  static let source = UInt8(Limits.songSource)
  /// The largest movement of the line that is a correction and no jump, in beats.
  static let largestCorrection = 0.25
  /// The time after which the engine has certainly applied an event, seconds.
  static let settling = 0.2

  var playback: SongPlayback
  var timing = Timing.free
  /// Whether the song begins again at its end, or repeats the part between its loop points.
  var loops = false
  /// Events that are sent at each beginning, before those of the song.
  var preamble: [Event] = []
  var line = BeatLine(rate: 48_000)
  // Beats by which the line is ahead of the song.
  var shift = 0.0
  // The event that has told the engine the bars; nil before.
  var sentMeter: Event?
  // Messages that are sent at the frame at which the song begins; empty later.
  var opening: [Event] = []
  // Whether the song has led since it was begun, until it is stopped or follows.
  var hasLed = false
  // The factor that multiplies all tempos of the song.
  var multiple: Float = 1
  // The last tempo that the song sent.
  var sentTempo: Float = 0
  // The last beat in which `compare` compared `sentTempo` with the shown tempo.
  var compared = 0.0
  // The frame of the last change of the line by the song or by the start of a device, and the frame up to which the
  // engine's clock was followed.
  var (changeFrame, followedFrame) = (Int64(0), Int64(0))
  // The expected line after the start of a device, and the number of jumps of the engine's line before it.
  var predicted: (line: BeatLine, jumps: UInt32)?

  /// A song at its beginning, which does not play.
  init(_ playback: SongPlayback) { self.playback = playback }

  /// The beat of the song at a frame, from 0 to its end.
  func beat(at frame: Int64) -> Double { max(0, min(position(at: frame), playback.length)) }

  /// The beat of the song at a frame, negative before its beginning, and past its end while it loops.
  func position(at frame: Int64) -> Double { line.beat(at: frame) - shift }

  /// The number of the bar, from 1, at a beat of the line; nil before the first time signature.
  func bar(atLine beat: Double) -> Int? { playback.bar(at: beat - shift) }

  /// The frame of a beat of the song.
  func frame(of beat: Double) -> Int64 { line.frame(of: beat + shift) }

  /// The frame of the next step, or of the end.
  var nextFrame: Int64 { opening.first?.frame ?? frame(of: next ?? end) }

  /// The beat of the next step; nil after the last one before the end.
  private var next: Double? {
    guard let next = playback.next else { return nil }
    let last = playback.loop?.upperBound ?? playback.length
    return loops && last < playback.length && next >= last ? nil : next
  }

  /// The beat at which the song ends, or the loop begins again, after a whole number of beats.
  private var end: Double {
    if !loops { return playback.length }
    let loop = playback.loop ?? 0..<playback.length
    return loop.lowerBound + max(1, (loop.upperBound - loop.lowerBound).rounded(.up))
  }

  /// Whether the song has ended at a frame.
  func hasEnded(at frame: Int64) -> Bool {
    !loops && opening.isEmpty && playback.next == nil && frame >= self.frame(of: playback.length)
  }

  // MARK: - Beginning

  /// Begins at a beat of the song and at a frame. A song that follows begins at the next frame at which the line is
  /// at the same fraction of a beat. Wheels, pedals, programs and similar events are sent at once.
  mutating func begin(
    at beat: Double, frame: Int64, _ timing: Timing, _ clock: BeatClock, now: Int64, send: (Event) -> Void
  ) {
    (self.timing, line, predicted, opening, followedFrame) = (timing, clock.line, nil, [], now)
    chase(to: beat, at: now, send)
    switch timing {
    case .follows:
      shift = (line.beat(at: frame) - beat - 1e-6).rounded(.up)
      tellMeter(at: beat, frame: now, send)
    case .leads, .free:
      shift = 0
      lead(to: beat, at: frame)
    }
  }

  /// Begins at the frame at which a device starts at the beat `start` of the line, or continues at the line's beat if
  /// `start` is nil.
  mutating func begin(
    at beat: Double, frame: Int64, start: Double?, _ clock: BeatClock, now: Int64, send: (Event) -> Void
  ) {
    (timing, line, predicted, opening, followedFrame) = (.follows, clock.line, nil, [], now)
    hasLed = false
    if let start {
      line.jump(to: start, frame: frame)
      predicted = (line, clock.line.jumps)
    }
    shift = (line.beat(at: frame) - beat).rounded()
    changeFrame = frame
    chase(to: position(at: frame), at: now, send)
    tellMeter(at: position(at: frame), frame: frame, send)
  }

  /// Sends the events that bring wheels, pedals, programs and the like to their state at a beat of the song.
  private mutating func chase(to beat: Double, at frame: Int64, _ send: (Event) -> Void) {
    sentMeter = nil
    for event in preamble { send(event.at(frame)) }
    for case .event(let event) in playback.seek(to: beat) { send(event.at(frame)) }
  }

  /// Sets the line to the song's tempo and to a beat, from a frame on.
  private mutating func lead(to beat: Double, at frame: Int64) {
    let tempo = tempo(playback.tempo(at: beat))
    let start = Event.clock(.clockStart, beat: beat, source: Self.source, frame: frame)
    line.follow(tempo: tempo, frame: frame)
    // The event carries the beat rounded and modulo 16,384, and the engine's line gets that beat.
    line.jump(to: start.beat, frame: frame)
    shift = (start.beat - beat).rounded()
    if timing == .free { return }
    (changeFrame, sentTempo) = (frame, tempo)
    opening = [
      Event(frame: frame, kind: .clockTempo, source: Self.source, value: tempo), start,
      Event(frame: frame, kind: .tempo, source: Self.source, value: tempo),
    ]
    if let meter = newMeter(at: beat, frame: frame) { opening.append(meter) }
  }

  /// The event that tells the engine the bars at a beat of the song; nil if it knows them.
  mutating func newMeter(at beat: Double, frame: Int64) -> Event? {
    guard timing != .free, let meter = playback.signature(at: beat)?.meter else { return nil }
    let event = meter.moved(by: shift).event(source: Self.source, frame: frame)
    if let sentMeter, sentMeter.note == event.note, sentMeter.target == event.target,
      sentMeter.value == event.value
    {
      return nil
    }
    sentMeter = event
    return event
  }

  private mutating func tellMeter(at beat: Double, frame: Int64, _ send: (Event) -> Void) {
    if let meter = newMeter(at: beat, frame: frame) { send(meter) }
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
      guard let beat = next else {
        if !loops || self.frame(of: end) > frame { return true }
        wrap(send)
        continue
      }
      let due = self.frame(of: beat)
      if due > frame { return true }
      switch playback.take(by: beat)?.step {
      case .event(let event)?: send(event.at(due))
      case .tempo(let tempo)?: follow(tempo, at: due, send)
      case .meter?: tellMeter(at: beat, frame: due, send)
      case nil: return true
      }
    }
    return false
  }

  /// Changes the tempo. Does nothing if the song follows.
  mutating func follow(_ tempo: Float, at frame: Int64, _ send: (Event) -> Void) {
    if timing == .follows { return }
    let tempo = self.tempo(tempo)
    line.follow(tempo: tempo, frame: frame)
    if timing == .free { return }
    (changeFrame, sentTempo) = (frame, tempo)
    send(Event(frame: frame, kind: .clockTempo, source: Self.source, value: tempo))
    send(Event(frame: frame, kind: .tempo, source: Self.source, value: tempo))
  }

  /// Returns from the end to the beginning, or to that of the loop.
  private mutating func wrap(_ send: (Event) -> Void) {
    let (start, frame) = (playback.loop?.lowerBound ?? 0, frame(of: end))
    send(Event(frame: frame, kind: .sourceGone, source: Self.source))
    chase(to: start, at: frame, send)
    if timing == .follows {
      shift += end - start
      tellMeter(at: start, frame: frame, send)
    } else {
      lead(to: start, at: frame)
    }
  }

  // MARK: - The end

  /// Stops at a frame: notes end, and if `stopsTransport`, the transport of a song that has led stops. Returns the
  /// beat.
  mutating func stop(at frame: Int64, stopsTransport: Bool, send: (Event) -> Void) -> Double {
    let beat = opening.isEmpty ? beat(at: frame) : beat(at: opening[0].frame)
    if timing == .leads, hasLed, stopsTransport {
      send(Event(frame: frame, kind: .clockStop, source: Self.source))
    }
    // A seek keeps the song's transport running.
    if stopsTransport || hasEnded(at: frame) { hasLed = false }
    send(Event(frame: frame, kind: .sourceGone, source: Self.source))
    (opening, predicted, sentMeter) = ([], nil, nil)
    return beat
  }
}

extension Event {
  /// The event at another frame.
  func at(_ frame: Int64) -> Event {
    var event = self
    event.frame = frame
    return event
  }
}
