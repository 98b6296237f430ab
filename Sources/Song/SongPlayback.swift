import Synth

/// A song as it is played in time: what is due, and what must be known where it begins in its middle. Plain data, no
/// clock: times are microseconds from the start of the song.
public struct SongPlayback: Sendable {
  /// What is to be done.
  public enum Step: Sendable {
    /// An event; its frame is its time.
    case event(Event)
    /// From now on so many quarter notes a minute.
    case tempo(Float)
  }

  private struct Moment {
    let time: Int64
    let step: Step
  }

  // In the order in which they come.
  private let moments: [Moment]
  private var place = 0

  /// Where the song ends.
  public let length: Int64

  /// A song that stands at its beginning and is played by `source`.
  public init(_ song: Song, source: UInt8) {
    length = Int64((song.length * 1e6).rounded(.up))
    var moments: [Moment] = []
    var tempos = song.tempos[...]
    for event in song.events(rate: 1e6, source: source) {
      while let tempo = tempos.first, Int64(tempo.seconds * 1e6) <= event.frame {
        moments.append(Moment(time: Int64(tempo.seconds * 1e6), step: .tempo(tempo.perMinute)))
        tempos.removeFirst()
      }
      moments.append(Moment(time: event.frame, step: .event(event)))
      if let timbre = event.timbre { moments.append(Moment(time: event.frame, step: .event(timbre))) }
    }
    for tempo in tempos {
      moments.append(Moment(time: Int64(tempo.seconds * 1e6), step: .tempo(tempo.perMinute)))
    }
    self.moments = moments
  }

  /// The time of what comes next; nil at the end.
  public var next: Int64? { place < moments.count ? moments[place].time : nil }

  /// The time of a place so many quarter notes from the beginning, no later than the end.
  public func time(quarters: Double) -> Int64 {
    var (time, perMinute, left) = (0.0, 120.0, quarters)
    for moment in moments {
      guard case .tempo(let next) = moment.step else { continue }
      let passing = (Double(moment.time) - time) * perMinute / 60e6
      if passing > left { break }
      (time, perMinute, left) = (Double(moment.time), Double(next), left - passing)
    }
    return Int64(max(0, min(time + left * 60e6 / perMinute, Double(length))))
  }

  /// What comes next, if it is due by a time, and its time.
  public mutating func take(by time: Int64) -> (time: Int64, step: Step)? {
    guard place < moments.count, moments[place].time <= time else { return nil }
    defer { place += 1 }
    return (moments[place].time, moments[place].step)
  }

  /// Goes to a time; returns what brings wheels, pedals, knobs, programs and tempo to where they stand there. Notes that
  /// began before are not struck.
  public mutating func seek(to time: Int64) -> [Step] {
    var latest: [Int: Int] = [:]
    place = 0
    while place < moments.count, moments[place].time < time {
      if let thing = Self.thing(moments[place].step) { latest[thing] = place }
      place += 1
    }
    return latest.values.sorted().map { moments[$0].step }
  }

  /// A number for what a step moves; nil for a note.
  private static func thing(_ step: Step) -> Int? {
    guard case .event(let event) = step else { return -1 }
    let kind = Int(event.kind.rawValue) << 16 | Int(event.target) << 8
    switch event.kind {
    case .noteOn, .noteOff, .keyPressure, .notePitch, .noteGain, .glideFrom: return nil
    // One sound and one zone at a time, whatever its number.
    case .program, .mpeZone: return kind
    default: return kind | Int(event.note)
    }
  }
}
