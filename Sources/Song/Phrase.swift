import MIDI

/// A few bars that demonstrate a kind of sound. Times are in beats.
public struct Phrase: Sendable {
  /// Keys struck together.
  struct Chord: Sendable {
    let start, length: Double
    let keys: [UInt8]
    let velocity: UInt32

    init(_ start: Double, _ length: Double, _ keys: [UInt8], _ velocity: UInt32) {
      (self.start, self.length, self.keys, self.velocity) = (start, length, keys, velocity)
    }
  }

  /// A move of the modulation wheel or of the pressure from one value, 0…127, to another.
  struct Move: Sendable {
    let times: ClosedRange<Double>
    let from, to: Double

    init(_ times: ClosedRange<Double>, _ from: Double, _ to: Double) {
      (self.times, self.from, self.to) = (times, from, to)
    }

    /// Its values with their times.
    fileprivate var values: [(beat: Double, value: MIDIValue)] {
      (0...40).map { step in
        let fraction = Double(step) / 40
        let beat = times.lowerBound + (times.upperBound - times.lowerBound) * fraction
        return (beat, MIDIValue(UInt32(clamping: (from + (to - from) * fraction).rounded()), bits: 7))
      }
    }
  }

  /// The tempo, beats per minute.
  let tempo: Double
  let chords: [Chord]
  let wheel: [Move]
  let pressure: [Move]

  init(_ tempo: Double, _ chords: [Chord], wheel: [Move] = [], pressure: [Move] = []) {
    (self.tempo, self.chords, self.wheel, self.pressure) = (tempo, chords, wheel, pressure)
  }

  /// The messages in order of time. At one beat, releases come before strokes.
  fileprivate var moments: [(beat: Double, order: Int, message: MIDIMessage)] {
    var moments: [(beat: Double, order: Int, message: MIDIMessage)] = []
    let released = MIDIValue(64, bits: 7)
    for chord in chords {
      let velocity = MIDIValue(chord.velocity, bits: 7)
      for key in chord.keys {
        moments.append((chord.start, 2, .noteOn(note: key, velocity: velocity)))
        moments.append((chord.start + chord.length, 0, .noteOff(note: key, velocity: released)))
      }
    }
    for move in wheel {
      for (beat, value) in move.values { moments.append((beat, 1, .controller(1, value))) }
    }
    for move in pressure {
      for (beat, value) in move.values { moments.append((beat, 1, .pressure(value))) }
    }
    return moments.sorted { ($0.beat, $0.order) < ($1.beat, $1.order) }
  }
}

extension Song {
  /// Makes a song of a phrase, on the first channel.
  public init(_ phrase: Phrase) {
    let beat = 60 / phrase.tempo
    let messages = phrase.moments.map {
      TimedMessage(seconds: $0.beat * beat, beat: $0.beat, channel: 0, message: $0.message)
    }
    let length = messages.last?.seconds ?? 0
    self.init(messages, perMinute: Float(phrase.tempo), length: length)
  }
}
