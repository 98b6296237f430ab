import Scenes

/// The steps of a song in order of time, with a current position. It has no clock: positions are beats, quarter notes
/// from the start of the song.
public struct SongPlayback: Sendable {
  /// A step of a song.
  public enum Step: Sendable {
    /// An event; its frame is 0.
    case event(Event)
    /// A tempo, quarter notes per minute.
    case tempo(Float)
    /// A time signature, whose bars begin here.
    case meter(Meter)
  }

  private struct Moment {
    let beat: Double
    let seconds: Double
    let step: Step
  }

  // In order of time.
  private let moments: [Moment]
  private let tempos: [Song.Tempo]
  private let signatures: [Song.Signature]
  private let (lyrics, markers): ([SongText], [SongText])
  private var index = 0

  /// The length of the song in beats.
  public let length: Double
  /// The length of the song in seconds.
  public let seconds: Double
  /// The part that is repeated while the song loops, in beats; nil for the whole song.
  public let loop: Range<Double>?
  /// False for a song timed in film frames: its beats are half seconds, without musical meaning.
  public let hasBeats: Bool

  /// A song at its beginning, played by `source`. `generalMIDI` says whether programs are those of General MIDI after a
  /// reset; nil if the reset decides.
  public init(_ song: Song, source: UInt8, generalMIDI: Bool? = nil) {
    (length, seconds, hasBeats, loop) = (song.beats, song.length, song.hasBeats, song.loop)
    var moments: [Moment] = []
    let tempos = song.tempos.map {
      Moment(beat: $0.beat, seconds: $0.seconds, step: .tempo($0.perMinute))
    }
    let meters = song.signatures.map {
      Moment(beat: $0.meter.origin, seconds: $0.seconds, step: .meter($0.meter))
    }
    var changes = inOrder(tempos + meters) { $0.beat }[...]
    for timed in song.timedEvents(source: source, generalMIDI: generalMIDI) {
      while let change = changes.first, change.beat <= timed.beat {
        moments.append(change)
        changes.removeFirst()
      }
      func add(_ event: Event) {
        moments.append(Moment(beat: timed.beat, seconds: timed.seconds, step: .event(event)))
      }
      add(timed.event)
      if let engineEvent = timed.event.engineEvent { add(engineEvent) }
    }
    self.moments = moments + changes
    (self.tempos, signatures) = (song.tempos, song.signatures)
    (lyrics, markers) = (song.lyrics, song.markers)
  }

  // MARK: - Beats and seconds

  /// The seconds from the start to a beat, no later than the end.
  public func seconds(at beat: Double) -> Double { convert(beat, from: \.beat, to: \.seconds) }

  /// The beat at a time in seconds from the start, no later than the end.
  public func beat(at seconds: Double) -> Double { convert(seconds, from: \.seconds, to: \.beat) }

  /// The tempo at a beat, in quarter notes per minute: 120 before the first change.
  public func tempo(at beat: Double) -> Float {
    tempos.last { $0.beat <= beat }?.perMinute ?? 120
  }

  /// The time signature at a beat; nil before the first.
  public func signature(at beat: Double) -> Song.Signature? {
    let count = Self.count(signatures, \.meter.origin, by: beat)
    return count > 0 ? signatures[count - 1] : nil
  }

  /// The line of the words at a beat, and the one that follows; empty where there is none.
  public func lyrics(at beat: Double) -> (now: String, next: String) {
    let count = Self.count(lyrics, \.beat, by: beat)
    return (count > 0 ? lyrics[count - 1].text : "", count < lyrics.count ? lyrics[count].text : "")
  }

  /// The last marker before a beat; empty before the first.
  public func marker(at beat: Double) -> String {
    let count = Self.count(markers, \.beat, by: beat)
    return count > 0 ? markers[count - 1].text : ""
  }

  /// How many elements, which are in order, begin by a beat. A file may hold two million of them, so they are searched by
  /// halves.
  private static func count<T>(_ all: [T], _ start: KeyPath<T, Double>, by beat: Double) -> Int {
    var (first, end) = (0, all.count)
    while first < end {
      let middle = (first + end) / 2
      if all[middle][keyPath: start] <= beat + 1e-6 { first = middle + 1 } else { end = middle }
    }
    return first
  }

  /// The number of the bar at a beat, from 1; nil before the first time signature.
  public func bar(at beat: Double) -> Int? {
    guard let signature = signature(at: beat) else { return nil }
    let bars = (beat + 1e-6 - signature.meter.origin) / signature.meter.bar
    return signature.bar + Int(clamping: bars.rounded(.down))
  }

  /// Beats and seconds of a song are proportional from moment to moment.
  private func convert(
    _ value: Double, from one: KeyPath<Moment, Double>, to other: KeyPath<Moment, Double>
  ) -> Double {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle][keyPath: one] > value { high = middle } else { low = middle + 1 }
    }
    let before = low > 0 ? moments[low - 1] : Moment(beat: 0, seconds: 0, step: .tempo(120))
    let after =
      low < moments.count ? moments[low] : Moment(beat: length, seconds: seconds, step: .tempo(120))
    let whole = after[keyPath: one] - before[keyPath: one]
    let share = whole > 0 ? max(0, min((value - before[keyPath: one]) / whole, 1)) : 0
    return before[keyPath: other] + share * (after[keyPath: other] - before[keyPath: other])
  }

  // MARK: - Playing

  /// The beat of the next step; nil at the end.
  public var next: Double? { index < moments.count ? moments[index].beat : nil }

  /// Removes and returns the next step with its beat, if it is due at `beat`.
  public mutating func take(by beat: Double) -> (beat: Double, step: Step)? {
    guard index < moments.count, moments[index].beat <= beat else { return nil }
    defer { index += 1 }
    return (moments[index].beat, moments[index].step)
  }

  /// Moves to a beat. Returns the steps that set wheels, pedals, knobs, programs, tunings and tempo to their values
  /// there. Notes that began before are not played.
  public mutating func seek(to beat: Double) -> [Step] {
    var state = ChasedState()
    index = 0
    while index < moments.count, moments[index].beat < beat {
      state.pass(moments[index].step, at: index)
      index += 1
    }
    return state.steps.map { moments[$0].step }
  }
}

/// The steps of a song that determine its state at a position: the latest of each controller, program and the like.
/// Played in their order, they have the effect of all steps before the position, except for notes.
struct ChasedState {
  // The index of the latest step for each kind of event, channel and number.
  private var latest: [Int: Int] = [:]
  private var zones = MPEZones()
  // The keys that are down, by channel. One that is struck twice comes up once.
  private var keys = [Set<UInt8>](repeating: [], count: Limits.channels)

  /// The indices of the steps, in their order.
  var steps: [Int] { latest.values.sorted() }

  /// Adds a step before the position.
  mutating func pass(_ step: SongPlayback.Step, at index: Int) {
    let event: Event
    switch step {
    case .event(let step): event = step
    case .tempo: return latest[-1] = index
    // The song knows it for each place.
    case .meter: return
    }
    let channel = Int(event.target)
    switch event.kind {
    case .noteOn:
      if channel < keys.count { keys[channel].insert(event.note) }
      latest[Self.key(.glideFrom, event)] = nil
    case .noteOff: lift(event)
    // Messages about single keys, whose notes are not played.
    case .keyPressure, .notePitch, .noteGain: break
    // A reset discards everything before it except tempo and programs.
    case .setUp:
      latest = latest.filter { $0.key < 0 || $0.key >> 16 == Int(Event.Kind.program.rawValue) }
      latest[Self.key(event.kind, event)] = index
      zones = MPEZones()
    case .mpeZone:
      zones.choose(range: event.value)
      zones.set(manager: event.target, members: event.note)
      latest[Self.key(event.kind, event)] = index
    // The note of these events is a value.
    case .program, .glideFrom: latest[Self.key(event.kind, event)] = index
    default: latest[Self.key(event.kind, event) | Int(event.note)] = index
    }
  }

  /// When the last key of an MPE member channel is released, its pressure, wheel and breath end; bend and timbre
  /// stay.
  private mutating func lift(_ event: Event) {
    let channel = Int(event.target)
    guard channel < keys.count else { return }
    keys[channel].remove(event.note)
    guard keys[channel].isEmpty, zones.isMember(event.target) else { return }
    for kind in [Event.Kind.pressure, .wheel, .breath] { latest[Self.key(kind, event)] = nil }
  }

  private static func key(_ kind: Event.Kind, _ event: Event) -> Int {
    Int(kind.rawValue) << 16 | Int(event.target) << 8
  }
}
