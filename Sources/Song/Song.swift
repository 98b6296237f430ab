import MIDI
import Synth

/// A Standard MIDI File as it is to be played: every channel message of every track, in order of time.
public struct Song: Sendable {
  /// A channel message and its time.
  public struct TimedMessage: Equatable, Sendable {
    /// Seconds from the start. The tempo map is summed up in whole numbers and divided once.
    public let seconds: Double
    /// MIDI channel 0…15.
    public let channel: UInt8
    /// What happens.
    public let message: MIDIMessage

    /// The frame at which it happens.
    public func frame(rate: Double) -> Int64 { Int64((seconds * rate).rounded()) }
  }

  /// A change of tempo and its time.
  public struct Tempo: Equatable, Sendable {
    /// Seconds from the start.
    public let seconds: Double
    /// Quarter notes a minute.
    public let perMinute: Float
  }

  /// The changes of tempo, in order of time; none in a song that counts film frames.
  public let tempos: [Tempo]
  /// The messages, in order of time; at one tick in order of the tracks, in a track in order of the file.
  public let messages: [TimedMessage]
  /// Seconds to the end of the longest track.
  public let length: Double

  /// What the song says first of the instrument that it is for; nil when it says nothing.
  public let setUp: SetUp?

  /// The channels that have notes, 0…15, lowest first; those of the members of an MPE zone are its manager's.
  public func channels(mpe: MPESetting = .auto) -> [UInt8] { uses(mpe: mpe).map(\.channel).sorted() }

  /// What in the file is not as the standard has it; nothing when it was read strictly.
  public let warnings: [SongWarning]

  /// What the engine and the control thread are to do, in order, when the song is played at `rate` Hz by `source`. What
  /// is held at the end of the song is let go there.
  public func events(rate: Double, source: UInt8 = 0, mpe: MPESetting = .auto) -> [Event] {
    let decoder = MIDIDecoder()
    var events = mpe == .auto ? [] : decoder.choose(mpe, source: source, frame: 0)
    events.reserveCapacity(messages.count)
    var held = Held()
    for timed in messages {
      let message = ChannelMessage(timed.channel, timed.message)
      held.take(message)
      let event = decoder.event(message, source: source, frame: timed.frame(rate: rate))
      if let event { events.append(event) }
    }
    let end = Int64((length * rate).rounded())
    events += held.releases.compactMap { decoder.event($0, source: source, frame: end) }
    return events
  }

  /// Reads a file as players read it: what can be played is played, and `warnings` say what could not or was a guess.
  /// Tracks of format 2 are played one after the other. Throws for what is no MIDI file, and for one that is wrong and
  /// has nothing to play. If `strict`, throws for the first thing that is not as the standard has it, and for format 2.
  /// Errors name the byte. Takes memory only for what is really there, whatever lengths the file claims, and no more
  /// than for the largest song.
  public init(_ bytes: [UInt8], strict: Bool = false) throws(SongError) {
    try self.init(bytes, strict: strict, room: MIDIFile.maxMessages)
  }

  /// A song of messages in order of time, at one tempo.
  init(_ messages: [TimedMessage], perMinute: Float, length: Double) {
    (self.messages, self.length) = (messages, length)
    (tempos, warnings, setUp) = ([Tempo(seconds: 0, perMinute: perMinute)], [], nil)
  }

  /// The same, with room for so many messages.
  init(_ bytes: [UInt8], strict: Bool, room: Int) throws(SongError) {
    var findings = Findings(isStrict: strict)
    let file: MIDIFile
    do { file = try MIDIFile(bytes, room: room, &findings) } catch { throw findings.fault ?? error }
    let tracks = file.header.format == 2 ? Self.inTurn(file.tracks) : file.tracks
    var tempos = tracks.flatMap { $0.tempos }
    if tracks.count > 1 { tempos = inOrder(tempos) { $0.tick } }
    var items = tracks.flatMap { $0.items }
    if tracks.count > 1 { items = inOrder(items) { $0.tick } }

    var map = TempoMap(file.header.division, tempos: tempos)
    var messages: [TimedMessage] = []
    messages.reserveCapacity(items.count)
    var clock = SongClock()
    var isWhole = true
    var changes = TempoChanges(file.header.division.isFilm ? [] : tempos)
    for item in items {
      try changes.pass(to: item.tick, &map, &clock, &findings)
      guard let seconds = try clock.time(map.seconds(at: item.tick), &findings) else {
        isWhole = false
        break
      }
      let (channel, message) = (item.message.channel, item.message.message)
      messages.append(TimedMessage(seconds: seconds, channel: channel, message: message))
    }
    if isWhole {
      let end = tracks.map { $0.end }.max() ?? 0
      try changes.pass(to: end, &map, &clock, &findings)
      _ = try clock.time(map.seconds(at: end), &findings)
    }
    length = clock.now
    self.tempos = changes.passed
    self.messages = messages
    setUp = tracks.compactMap { $0.setUp }.min { $0.tick < $1.tick }?.setUp
    warnings = findings.warnings
    if messages.isEmpty, let fault = findings.fault { throw fault }
  }

  /// Tracks one after the other. Each begins at the tempo of a file that says nothing, and leaves nothing held.
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

/// Sorted, and what is equal stays as it was.
private func inOrder<T>(_ items: [T], by tick: (T) -> Int) -> [T] {
  items.enumerated().sorted { (tick($0.element), $0.offset) < (tick($1.element), $1.offset) }
    .map { $0.element }
}
