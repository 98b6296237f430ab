import MIDI
import Parameters
import Scenes
import System

/// The events that surfaces and songs play, and the controllers of MIDI devices. Control thread.
public final class Performance: Feature {
  let writer: SceneWriter
  private let ranges: KeyRanges
  private let recorder: StepRecorder
  // The notes of XY pads, by source.
  var xyPadNotes: [Int: XYPadNote] = [:]
  private var heldControls = HeldControls()
  // The time that was meant last, and its frame.
  private var meant: (moment: Int64, frame: Int64)?
  // What is played in parts whose recall waits for its wavetables, until which time at most; in order.
  private var deferred: [(event: Event, part: Int, until: Int64?)] = []

  /// How long a key waits for the sound that was recalled before it, nanoseconds.
  static let longestWait: Int64 = 200_000_000
  /// All events that wait are played when there are more than this.
  static let mostDeferred = 256

  init(_ writer: SceneWriter, _ ranges: KeyRanges, _ recorder: StepRecorder) {
    (self.writer, self.ranges, self.recorder) = (writer, ranges, recorder)
  }

  /// Sends a performance event to the engine, to be played as soon as the constant latency allows.
  /// - Parameters:
  ///   - source: The player, `Limits.surfaceSources` and up.
  ///   - moment: The intended time, CLOCK_MONOTONIC; nil for now. Events are played in the order of these calls, so a
  ///     later time delays the events that follow.
  public func play(
    _ kind: Event.Kind, source: Int, part: Int, note: Int = 0, value: Float = 0, at moment: Int64? = nil
  ) {
    push(
      Event(
        frame: frame(of: moment), kind: kind,
        source: UInt8(clamping: source),
        target: Event.part(part), note: UInt8(clamping: note), value: value), part)
    switch kind {
    case .panic:
      recorder.end()
      writer.heldKeys.removeAll()
      if writer.stage.release(source: nil) { writer.publishSoon() }
      xyPadNotes.removeAll()
      heldControls.removeAll()
    case .sourceGone, .setUp:
      writer.heldKeys.take(Event(frame: 0, kind: kind, source: UInt8(clamping: source)))
      xyPadNotes[source] = nil
      // The engine keeps one set of wheels and pedals for a part, which belongs to the source that moved one last.
      // Wheels and pedals that this source holds beneath another source's are also brought to rest.
      for (kind, part) in heldControls.leave(source) {
        play(kind, source: source, part: part, value: HeldControls.rest(kind))
      }
    default: break
    }
  }

  /// The frame of a time, CLOCK_MONOTONIC; of now for nil. Events of one time start on one sample, although the clock of
  /// the audio thread is set between them.
  func frame(of moment: Int64?) -> Int64 {
    guard let moment else { return writer.link.clock.frame(at: monotonic()) }
    if let meant, meant.moment == moment { return meant.frame }
    let frame = writer.link.clock.frame(at: moment)
    meant = (moment, frame)
    return frame
  }

  /// Sends an event to the engine. A key that follows a recall is to play the recalled sound, so it waits while that
  /// waits for its wavetables, and so does what follows it in the part.
  private func push(_ event: Event, _ part: Int) {
    switch event.kind {
    case .panic: deferred.removeAll()
    case .sourceGone, .setUp: deferred.removeAll { $0.event.source == event.source }
    case .noteOn where event.value > 0 && awaitsRecall(part):
      return deferred.append((event, part, nil))
    default:
      if deferred.contains(where: { $0.part == part }) { return deferred.append((event, part, nil)) }
    }
    writer.link.control.push(event)
  }

  private func awaitsRecall(_ part: Int) -> Bool {
    writer.link.scene.awaitedRecalls >> UInt8(truncatingIfNeeded: part) & 1 != 0
  }

  /// Plays an action of a player on a surface in a part. Without a part, it plays the part in focus and the parts on
  /// its channel, as a keyboard would. A key or pedal is released on the parts where it was pressed, whatever the
  /// focus is then.
  public func handle(
    _ kind: Event.Kind, source: Int, part: Int?, note: Int = 0, value: Float = 0, at moment: Int64? = nil
  ) {
    if kind == .noteOn, value > 0 { writer.publishBeforeKey() }
    let meant = part.map { [$0] } ?? writer.stage.companions(of: writer.focus)
    let parts = heldControls.parts(
      kind, source: source, isNamed: part != nil, meant: meant, note: note, value: value)
    for part in parts { play(kind, source: source, part: part, note: note, value: value, at: moment) }
    if writer.keyUses.contains(.deferring) {
      writer.heldKeys.take(
        Event(
          frame: 0, kind: kind, source: UInt8(clamping: source), note: UInt8(clamping: note), value: value))
    }
    // Only after the key has been played on the current parts may it change a range or a split.
    guard kind == .noteOn, value > 0 else { return }
    let frame = frame(of: moment)
    recorder.keyStruck(note, velocity: value, parts: parts, frame: frame)
    ranges.keyStruck(note, velocity: value)
  }

  /// Routes the channels of the song to the parts of `routes`; nil for the parts that are set to the channels. Call
  /// again for a new engine.
  public func route(song routes: ChannelRoutes?) {
    let (source, frame) = (UInt8(Limits.songSource), writer.link.clock.frame(at: monotonic()))
    writer.stage.routes[source] = routes
    for channel in 0..<Limits.channels {
      let parts = routes?[channel].map { Float($0) } ?? -1
      writer.link.control.push(
        Event(frame: frame, kind: .route, source: source, target: UInt8(channel), value: parts))
    }
  }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    if deferred.isEmpty { return nil }
    let frame = writer.link.clock.frame(at: monotonic())
    for index in deferred.indices {
      deferred[index].until = deferred[index].until ?? now + Performance.longestWait
    }
    let isOver = deferred.count > Performance.mostDeferred
    deferred.removeAll { waiting in
      guard isOver || !awaitsRecall(waiting.part) || now >= waiting.until ?? now else { return false }
      var event = waiting.event
      event.frame = max(event.frame, frame)
      writer.link.control.push(event)
      return true
    }
    return deferred.compactMap { $0.until }.min()
  }

  func take(_ command: Event) {
    switch command.kind {
    case .controller: move(command)
    case .modulationDepth: if writer.stage.move(vibrato: command) { writer.publishSoon() }
    case .sourceGone, .setUp:
      if Int(command.source) == Limits.songSource {
        for (knob, value) in writer.stage.endBorrowing() { writer.set(knob, to: value) }
      }
      if writer.stage.begin(command) { writer.publishSoon() }
    default: break
    }
  }

  /// Handles a controller that sets or offsets knobs.
  private func move(_ command: Event) {
    let (number, channel) = (Int(command.note), Int(command.target))
    if ControllerOffsets.moves(number) {
      let hasChanged = writer.stage.offset(
        controller: number, normalized: command.value, source: command.source, channel: channel)
      if hasChanged { writer.publishSoon() }
      return
    }
    let (value, source) = (command.value, command.source)
    let knobs =
      Int(source) == Limits.songSource
      ? writer.stage.borrow(controller: number, normalized: value, channel: channel, source: source)
      : writer.stage.knobs(controller: number, normalized: value, channel: channel, source: source)
    for (knob, value) in knobs { writer.set(knob, to: value) }
  }
}

/// A note of an XY pad, whose pitch and loudness follow a finger.
struct XYPadNote {
  let parts: [Int]
  let note: Int
}

extension Performance {
  /// Plays an XY pad: two octaves of pitch horizontally, loudness vertically. The first touch starts a note, which
  /// follows the finger without steps until it is lifted. It plays the given part, or the part in focus and the parts
  /// on its channel.
  /// - Parameters:
  ///   - x: 0…1, from the C below middle C to the C above it.
  ///   - y: 0…1, from silence to the loudness of a firmly struck key.
  ///   - source: The player, `Limits.surfaceSources` and up.
  ///   - moment: The intended time, CLOCK_MONOTONIC; nil for now.
  public func playXY(x: Float, y: Float, isTouched: Bool, source: Int, part: Int?, at moment: Int64? = nil) {
    let pitch = Performance.lowest + Performance.span * max(0, min(x, 1))
    // One time for all events, so that the note starts at the position of the finger.
    let frame = frame(of: moment)
    func hold(_ kind: Event.Kind, _ note: XYPadNote) {
      guard writer.keyUses.contains(.deferring) else { return }
      // On a channel of its own, so that a key of the same pitch is held separately.
      writer.heldKeys.take(
        Event(
          frame: 0, kind: kind, source: UInt8(clamping: source), target: .max,
          note: UInt8(clamping: note.note), value: Performance.firm))
    }
    func play(_ kind: Event.Kind, _ note: XYPadNote, _ value: Float) {
      for part in note.parts {
        writer.link.control.push(
          Event(
            frame: frame, kind: kind, source: UInt8(clamping: source), target: Event.part(part),
            note: UInt8(clamping: note.note), value: value))
      }
    }
    guard isTouched else {
      if let note = xyPadNotes.removeValue(forKey: source) {
        play(.noteOff, note, 0)
        hold(.noteOff, note)
      }
      return
    }
    let parts = part.map { [$0] } ?? writer.stage.companions(of: writer.focus)
    let note = xyPadNotes[source] ?? XYPadNote(parts: parts, note: Int(clamping: pitch.rounded()))
    if xyPadNotes.updateValue(note, forKey: source) == nil {
      play(.noteOn, note, Performance.firm)
      hold(.noteOn, note)
    }
    play(.notePitch, note, pitch - Float(note.note))
    play(.noteGain, note, max(0, min(y, 1)))
  }

  private static let lowest: Float = 48
  private static let span: Float = 24
  private static let firm: Float = 0.8
}

/// The keys, wheels and pedals that surfaces hold, with the parts for which each was pressed. A release goes to the
/// same parts, even if the focus has changed or the tablet has disconnected in the meantime.
struct HeldControls {
  private struct HeldControl: Hashable {
    let source: Int
    let kind: Event.Kind
    let note: Int
    /// Whether the message named its part; then the release names it as well.
    let isNamed: Bool
  }
  // One bit for each part.
  private var parts: [HeldControl: Int] = [:]

  /// Presses or releases the control. Returns the parts that receive an event meant for the parts `meant`.
  mutating func parts(
    _ kind: Event.Kind, source: Int, isNamed: Bool, meant: [Int], note: Int, value: Float
  ) -> [Int] {
    let isKey = kind == .noteOn || kind == .noteOff
    let control = HeldControl(source: source, kind: isKey ? .noteOn : kind, note: note, isNamed: isNamed)
    let (aimed, held) = (meant.reduce(0) { $0 | 1 << $1 }, parts[control] ?? 0)
    if !HeldControls.isRest(kind, value) {
      parts[control] = held | aimed
      return meant
    }
    if isNamed {
      let rest = held & ~aimed
      parts[control] = rest == 0 ? nil : rest
      return meant
    }
    parts[control] = nil
    // A key is released on the parts where it was pressed. A wheel or a pedal is also released on the parts meant
    // now, where it may have any position.
    let rest = isKey && held != 0 ? held : held | aimed
    return (0..<Limits.parts).filter { rest & 1 << $0 != 0 }
  }

  /// Forgets the controls that a source holds. Returns the wheels and pedals that no other source holds, with their
  /// parts; its keys need no release.
  mutating func leave(_ source: Int) -> [(kind: Event.Kind, part: Int)] {
    let own = parts.filter { $0.key.source == source }
    parts = parts.filter { $0.key.source != source }
    var left: [(kind: Event.Kind, part: Int)] = []
    for (control, held) in own where control.kind != .noteOn {
      let others = parts.filter { $0.key.kind == control.kind }.reduce(0) { $0 | $1.value }
      left += (0..<Limits.parts).filter { held & ~others & 1 << $0 != 0 }.map { (control.kind, $0) }
    }
    return left
  }

  /// Forgets all held controls.
  mutating func removeAll() { parts.removeAll() }

  /// The position of a wheel or pedal at rest.
  static func rest(_ kind: Event.Kind) -> Float { kind == .expression ? 1 : 0 }

  private static func isRest(_ kind: Event.Kind, _ value: Float) -> Bool {
    switch kind {
    case .noteOff: true
    case .noteOn: value <= 0
    case .sustain: value < 0.5
    default: value == rest(kind)
    }
  }
}
