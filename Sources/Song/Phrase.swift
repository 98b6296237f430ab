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

  /// A move of the modulation wheel from one value, 0…127, to another.
  struct Wheel: Sendable {
    let times: ClosedRange<Double>
    let from, to: Double

    init(_ times: ClosedRange<Double>, _ from: Double, _ to: Double) {
      (self.times, self.from, self.to) = (times, from, to)
    }
  }

  /// The tempo, beats per minute.
  let tempo: Double
  let chords: [Chord]
  let wheel: [Wheel]

  init(_ tempo: Double, _ chords: [Chord], wheel: [Wheel] = []) {
    (self.tempo, self.chords, self.wheel) = (tempo, chords, wheel)
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
      for step in 0...40 {
        let fraction = Double(step) / 40
        let beat = move.times.lowerBound + (move.times.upperBound - move.times.lowerBound) * fraction
        let value = (move.from + (move.to - move.from) * fraction).rounded()
        moments.append((beat, 1, .controller(1, MIDIValue(UInt32(value), bits: 7))))
      }
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
