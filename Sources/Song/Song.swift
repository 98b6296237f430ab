import MIDI
import Scenes

/// A Standard MIDI File as it is played: the channel messages of all tracks, in order of time.
public struct Song: Sendable {
  /// A channel message and its time.
  public struct TimedMessage: Equatable, Sendable {
    /// Seconds from the start, without accumulated rounding errors.
    public let seconds: Double
    /// Quarter notes from the start; half seconds in a song timed in film frames.
    public let beat: Double
    /// The MIDI channel, 0…15.
    public let channel: UInt8
    /// The message.
    public let message: MIDIMessage

    /// Its frame at a sample rate in Hz.
    public func frame(rate: Double) -> Int64 { Int64(clamping: (seconds * rate).rounded()) }
  }

  /// A system exclusive message and its time.
  struct TimedExclusive: Sendable {
    let seconds: Double
    let beat: Double
    /// The index of the message that it precedes.
    let index: Int
    /// Its bytes, without the first and the last.
    let bytes: [UInt8]
  }

  /// A change of tempo and its time.
  public struct Tempo: Equatable, Sendable {
    /// Seconds from the start.
    public let seconds: Double
    /// Quarter notes from the start.
    public let beat: Double
    /// Quarter notes per minute.
    public let perMinute: Float
  }

  /// A time signature from a beat on, which begins a bar.
  public struct Signature: Equatable, Sendable {
    /// Seconds from the start.
    public let seconds: Double
    /// The bars, which begin at a beat in quarter notes from the start.
    public let meter: Meter
    /// The number of the bar that begins there, from 1.
    public let bar: Int

    /// A signature after another. Bars before the first have four quarter notes.
    fileprivate init(seconds: Double, meter: Meter, after last: Signature?) {
      (self.seconds, self.meter) = (seconds, meter)
      let before = last?.meter ?? Meter(quarters: 4)
      let bars = ((meter.origin - before.origin) / before.bar - 1e-6).rounded(.up)
      bar = (last?.bar ?? 1) + Int(clamping: max(0, bars))
    }
  }

  /// The time signatures, in order of time. None before the first that the song has, and none in a song timed in film
  /// frames.
  public let signatures: [Signature]
  /// The system exclusive messages that pipit understands, in order of time.
  let exclusives: [TimedExclusive]
  /// The tempo changes, in order of time, the first at the start: 120 unless the song says otherwise. None in a song
  /// timed in film frames.
  public let tempos: [Tempo]
  /// The messages, in order of time; those at one tick in order of the tracks, then of the file. A key that is struck
  /// again before its end has the note off of its last stroke only.
  public let messages: [TimedMessage]
  /// Seconds to the end of the longest track.
  public let length: Double
  /// Quarter notes to the end of the longest track.
  public let beats: Double
  /// False for a song timed in film frames, whose beats are half seconds.
  public let hasBeats: Bool

  /// The part that is repeated while the song loops, in beats; nil for the whole song.
  public let loop: Range<Double>?

  /// The lines of its words, in order of time.
  public let lyrics: [SongText]
  /// Its markers, in order of time.
  public let markers: [SongText]

  /// The first kind of instrument that the song names; nil if it names none.
  public let setUp: SetUp?

  /// Whether it says in a text event that its programs are those of pipit's banks.
  let isForPipit: Bool

  /// The channels that have notes, 0…15, lowest first. An MPE zone counts as its manager channel.
  public func channels(mpe: MPESetting = .auto) -> [UInt8] { uses(mpe: mpe).map(\.channel).sorted() }

  /// The deviations of the file from the standard; empty after strict reading.
  public let warnings: [SongWarning]

  /// The events for the engine and the control thread, in order, for `source` at `rate` Hz. Notes and pedals held at
  /// the end of the song are released there. `generalMIDI` says whether programs are those of General MIDI after a
  /// reset; nil if the reset decides.
  public func events(
    rate: Double, source: UInt8 = 0, mpe: MPESetting = .auto, generalMIDI: Bool? = nil
  ) -> [Event] {
    timedEvents(source: source, mpe: mpe, generalMIDI: generalMIDI).map { timed in
      var event = timed.event
      event.frame = Int64(clamping: (timed.seconds * rate).rounded())
      return event
    }
  }

  /// The events as `events(rate:source:mpe:generalMIDI:)` has them, with frame 0, each with its seconds and quarter
  /// notes from the start.
  public func timedEvents(
    source: UInt8 = 0, mpe: MPESetting = .auto, generalMIDI: Bool? = nil
  ) -> [(seconds: Double, beat: Double, event: Event)] {
    let decoder = MIDIDecoder()
    let first = mpe == .auto ? [] : decoder.choose(mpe, source: source, frame: 0)
    var events: [(seconds: Double, beat: Double, event: Event)] = first.map { (0, 0, $0) }
    events.reserveCapacity(messages.count)
    var held = HeldNotes()
    var waiting = exclusives[...]
    for (index, timed) in messages.enumerated() {
      while let exclusive = waiting.first, exclusive.index <= index {
        waiting.removeFirst()
        for event in decoder.events(exclusive: exclusive.bytes, source: source) {
          events.append((exclusive.seconds, exclusive.beat, event))
        }
      }
      let message = ChannelMessage(timed.channel, timed.message)
      held.take(message)
      let event = decoder.event(message, source: source, frame: 0)
      if let event { events.append((timed.seconds, timed.beat, event)) }
    }
    for exclusive in waiting {
      for event in decoder.events(exclusive: exclusive.bytes, source: source) {
        events.append((exclusive.seconds, exclusive.beat, event))
      }
    }
    for message in held.releases {
      if let event = decoder.event(message, source: source, frame: 0) {
        events.append((length, beats, event))
      }
    }
    guard let generalMIDI else { return events }
    for index in events.indices where events[index].event.kind == .setUp {
      events[index].event.note = generalMIDI ? 1 : 0
    }
    return events
  }

  /// Reads a file tolerantly: `warnings` list what was skipped or guessed. Tracks of format 2 are played one after the
  /// other. Throws if it is no MIDI file, or if it is damaged and has nothing to play. If `strict`, throws for the
  /// first deviation from the standard, and for format 2. Errors name the byte. Memory depends on the real size of the
  /// file, not on the lengths that it claims.
  public init(_ bytes: [UInt8], strict: Bool = false) throws(SongError) {
    try self.init(bytes, strict: strict, maxMessages: MIDIFile.maxMessages)
  }

  /// A song of messages in order of time, at one tempo.
  init(_ messages: [TimedMessage], perMinute: Float, length: Double) {
    (self.messages, self.length, exclusives) = (messages, length, [])
    (tempos, warnings, setUp) = ([Tempo(seconds: 0, beat: 0, perMinute: perMinute)], [], nil)
    (beats, hasBeats, isForPipit) = (length * Double(perMinute) / 60, true, false)
    (signatures, loop, lyrics, markers) = ([], nil, [], [])
  }

  /// Reads a file, tolerantly or strictly, with at most `maxMessages` messages.
  init(_ bytes: [UInt8], strict: Bool, maxMessages: Int) throws(SongError) {
    var findings = Findings(isStrict: strict)
    let file: MIDIFile
    do { file = try MIDIFile(bytes, maxMessages: maxMessages, &findings) } catch {
      throw findings.fault ?? error
    }
    let tracks = file.isOfPatterns ? Self.inTurn(file.tracks) : try SongPorts.joined(file.tracks, &findings)
    var tempos = tracks.flatMap { $0.tempos }
    if tracks.count > 1 { tempos = inOrder(tempos) { $0.tick } }
    var items = tracks.flatMap { $0.items }
    if tracks.count > 1 { items = inOrder(items) { $0.tick } }
    items = StrokeEnds.only(items)

    var map = TempoMap(file.division, tempos: tempos)
    if !file.division.isFilm, tempos.first.map({ $0.tick > 0 }) ?? true {
      tempos.insert((0, TempoMap.initial), at: 0)
    }
    var messages: [TimedMessage] = []
    messages.reserveCapacity(items.count)
    var exclusives: [TimedExclusive] = []
    var signatures: [Signature] = []
    var clock = SongClock()
    var isWhole = true
    var (loopPoints, texts) = (LoopPoints(), SongTexts())
    var received = ReceivedChannels(copies: items.count)
    var changes = TempoChanges(file.division.isFilm ? [] : tempos)
    for item in items {
      try changes.pass(to: item.tick, &map, &clock, &findings)
      let beat = map.beat(at: item.tick)
      guard let seconds = try clock.time(map.seconds(at: item.tick), beat: beat, &findings) else {
        isWhole = false
        break
      }
      loopPoints.pass(item.content, at: clock.beat)
      func play(_ message: MIDIMessage, _ channel: UInt8) {
        messages.append(
          TimedMessage(seconds: seconds, beat: clock.beat, channel: channel, message: message))
      }
      /// Ends what a part holds, whose channel changes.
      func end(_ part: UInt8) {
        for controller in [64, 66, 67, 69, 123] as [UInt8] {
          play(.controller(controller, MIDIValue(0, bits: 7)), part)
        }
      }
      switch item.content {
      case .loop: break
      case .text(let kind, let bytes): texts.pass(kind, bytes, at: clock.beat)
      case .message(let played):
        if received.isPlain {
          play(played.message, played.channel)
          continue
        }
        let parts = received.parts(of: played.channel)
        for part in parts.ending { end(part) }
        for part in parts.receiving { play(played.message, part) }
      case .exclusive(let bytes):
        let taken = received.take(bytes)
        for part in taken.ending { end(part) }
        if taken.isDone { continue }
        exclusives.append(
          TimedExclusive(seconds: seconds, beat: clock.beat, index: messages.count, bytes: bytes))
      case .meter(let beats, let power):
        if file.division.isFilm { break }
        let meter = Meter(beats: beats, power: power, origin: clock.beat)
        // Of several at one place, the last counts.
        if signatures.last?.meter.origin == meter.origin { signatures.removeLast() }
        signatures.append(Signature(seconds: seconds, meter: meter, after: signatures.last))
      }
    }
    if isWhole {
      let end = tracks.map { $0.end }.max() ?? 0
      try changes.pass(to: end, &map, &clock, &findings)
      _ = try clock.time(map.seconds(at: end), beat: map.beat(at: end), &findings)
    }
    (length, beats, hasBeats) = (clock.now, clock.beat, !file.division.isFilm)
    loop = loopPoints.range(length: beats)
    (lyrics, markers) = (texts.lines, texts.markers)
    self.tempos = changes.passed
    self.signatures = signatures
    (self.messages, self.exclusives) = (messages, exclusives)
    setUp = tracks.compactMap { $0.setUp }.min { $0.tick < $1.tick }?.setUp
    isForPipit = tracks.contains { $0.isForPipit }
    warnings = findings.warnings
    if messages.isEmpty, let fault = findings.fault { throw fault }
  }

  /// Moves tracks one after the other. Each begins at the initial tempo and ends with all notes released.
  private static func inTurn(_ tracks: [Track]) -> [Track] {
    var start = 0
    return tracks.map { track in
      var track = track
      track.begin(at: start)
      start = track.end
      return track
    }
  }
}

/// The items sorted by time; those of one time stay in order.
func inOrder<T, Time: Comparable>(_ items: [T], by time: (T) -> Time) -> [T] {
  items.enumerated().sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }
    .map { $0.element }
}

/// Finds the loop of a song, as games and their composers mark it: by the texts or markers `loopStart` and `loopEnd`, by
/// controllers 116 and 117, or by a single controller 111, which is a start (RPG Maker).
struct LoopPoints {
  // Beats.
  private var (start, end): (Double?, Double?) = (nil, nil)
  // The first controller 111, and how many there are: more of them move something.
  private var (single, singles): (Double, Int) = (0, 0)

  /// Reads a piece of the song at a beat.
  mutating func pass(_ content: Track.Item.Content, at beat: Double) {
    switch content {
    case .loop(isStart: true): start = start ?? beat
    case .loop(isStart: false): end = end ?? beat
    case .message(let played):
      switch played.message {
      case .controller(111, _):
        if singles == 0 { single = beat }
        singles += 1
      case .controller(116, _): start = start ?? beat
      case .controller(117, _): end = end ?? beat
      default: break
      }
    case .exclusive, .meter, .text: break
    }
  }

  /// The loop in beats, in a song of a length; nil without one.
  func range(length: Double) -> Range<Double>? {
    let start = start ?? (singles == 1 ? single : nil)
    if start == nil, end == nil { return nil }
    let (first, last) = (start ?? 0, min(end ?? length, length))
    return first < last ? first..<last : nil
  }
}

/// Computes the times of tempo changes, in step with the times of the messages between them.
struct TempoChanges {
  /// The changes up to now.
  private(set) var passed: [Song.Tempo] = []
  private var coming: ArraySlice<(tick: Int, microseconds: Int)>

  /// The changes of a song, sorted by tick.
  init(_ tempos: [(tick: Int, microseconds: Int)]) { coming = tempos[...] }

  /// Computes the times of the changes up to a tick, or until the end of the song.
  mutating func pass(
    to tick: Int, _ map: inout TempoMap, _ clock: inout SongClock, _ findings: inout Findings
  ) throws(SongError) {
    while let tempo = coming.first, tempo.tick <= tick {
      guard
        let seconds = try clock.time(
          map.seconds(at: tempo.tick), beat: map.beat(at: tempo.tick), &findings)
      else { return }
      let perMinute = Float(60e6 / Double(tempo.microseconds))
      passed.append(Song.Tempo(seconds: seconds, beat: clock.beat, perMinute: perMinute))
      coming.removeFirst()
    }
  }
}
