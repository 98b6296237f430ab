import Scenes
import Song

/// Keeps the song and the engine's beat line together: one leads, the other follows.
extension SongCourse {
  /// Updates the song from the engine's clock, up to a frame for which nothing has been sent yet, and applies a
  /// change of timing.
  mutating func synchronize(
    with clock: BeatClock, frame: Int64, _ timing: Timing, rate: Double, send: (Event) -> Void
  ) {
    defer { followedFrame = frame }
    if timing != self.timing { change(to: timing, clock, at: frame, send) }
    switch self.timing {
    case .free: break
    case .leads:
      if !opening.isEmpty || Double(frame - changeFrame) < Self.settling * rate { break }
      // The lines are equal, unless an event reached the engine too late.
      if !clock.isLedBySong {
        lead(clock, at: frame, send)
      } else if let tempo = move(to: clock.line, at: followedFrame, send) {
        follow(tempo, at: frame, send)
      }
    case .follows:
      var line = clock.line
      if let predicted {
        let isLate = Double(frame - changeFrame) > Self.settling * rate
        if predicted.jumps == clock.line.jumps, !isLate {
          line = predicted.line
        } else {
          self.predicted = nil
        }
      }
      move(to: line, at: followedFrame, send)
    }
  }

  /// Sends the tempo of a song that leads again if another one is shown, because somebody has moved the knob. Checks
  /// once a beat, like the tempo of a device.
  mutating func compare(shown: @autoclosure () -> Float, at frame: Int64, send: (Event) -> Void) {
    guard timing == .leads, opening.isEmpty else { return }
    let beat = position(at: frame).rounded(.down)
    if beat == compared { return }
    compared = beat
    if shown() != sentTempo { send(Event(frame: frame, kind: .tempo, source: Self.source, value: sentTempo)) }
  }

  private mutating func change(
    to timing: Timing, _ clock: BeatClock, at frame: Int64, _ send: (Event) -> Void
  ) {
    if self.timing == .leads { send(Event(frame: frame, kind: .clockGone, source: Self.source)) }
    // The event that would make the song lead is no longer sent: the song begins with the next beat, like one that
    // follows.
    if let first = opening.first?.frame {
      let beat = position(at: first)
      line = clock.line
      shift = (line.beat(at: first) - beat - 1e-6).rounded(.up)
    }
    (self.timing, predicted, opening, hasLed, sentMeter) = (timing, nil, [], false, nil)
    if timing == .leads { lead(clock, at: frame, send) }
    if let meter = newMeter(at: position(at: frame), frame: frame) { send(meter) }
  }

  /// Takes the lead while the song plays. The line keeps its beat if the song is at the same fraction of a beat.
  private mutating func lead(_ clock: BeatClock, at frame: Int64, _ send: (Event) -> Void) {
    let beat = position(at: frame)
    let tempo = tempo(playback.tempo(at: beat))
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
    (changeFrame, sentTempo, hasLed) = (frame, tempo, true)
    // The engine may have forgotten them.
    sentMeter = nil
    if let meter = newMeter(at: beat, frame: frame) { send(meter) }
  }

  /// Continues on a line. After a jump of the line, the song moves to the nearest position at the same fraction of a
  /// beat: it waits, or skips the notes in between. Returns the last tempo that it skipped; nil if there was none.
  @discardableResult
  private mutating func move(to line: BeatLine, at frame: Int64, _ send: (Event) -> Void) -> Float? {
    let moved = line.beat(at: frame) - self.line.beat(at: frame)
    self.line = line
    if abs(moved) <= Self.largestCorrection { return nil }
    shift += moved.rounded()
    let beat = position(at: frame)
    var passed: Float?
    while let (_, step) = playback.take(by: beat) {
      switch step {
      case .event(let event): if event.kind != .noteOn || event.value == 0 { send(event.at(frame)) }
      case .tempo(let tempo): passed = tempo
      case .meter: break
      }
    }
    if let meter = newMeter(at: beat, frame: frame) { send(meter) }
    return passed
  }
}

/// The playing tempo of a song as a multiple of its written tempo.
extension SongCourse {
  /// Plays the song at a multiple of its tempos from a frame on: the position stays. A song that follows another clock
  /// keeps the tempo of that clock. A song that is about to begin changes its tempo right after that.
  mutating func play(at multiple: Float, isOn: Bool, frame: Int64, send: (Event) -> Void) {
    if multiple == self.multiple || isOn && !opening.isEmpty { return }
    self.multiple = multiple
    if isOn { follow(playback.tempo(at: position(at: frame)), at: frame, send) }
  }

  /// The tempo of the clock for a tempo of the song.
  func tempo(_ written: Float) -> Float { BeatClock.clamped(written * multiple) }
}
