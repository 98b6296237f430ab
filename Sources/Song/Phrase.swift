import MIDI

/// A few bars that show what a kind of sound is for. Times are in beats.
public struct Phrase: Sendable {
  /// Keys that are struck together.
  struct Chord: Sendable {
    let start, length: Double
    let keys: [UInt8]
    let velocity: UInt32

    init(_ start: Double, _ length: Double, _ keys: [UInt8], _ velocity: UInt32) {
      (self.start, self.length, self.keys, self.velocity) = (start, length, keys, velocity)
    }
  }

  /// The modulation wheel on its way from one place, 0…127, to another.
  struct Wheel: Sendable {
    let times: ClosedRange<Double>
    let from, to: Double

    init(_ times: ClosedRange<Double>, _ from: Double, _ to: Double) {
      (self.times, self.from, self.to) = (times, from, to)
    }
  }

  /// Beats a minute.
  let tempo: Double
  let chords: [Chord]
  let wheel: [Wheel]

  init(_ tempo: Double, _ chords: [Chord], wheel: [Wheel] = []) {
    (self.tempo, self.chords, self.wheel) = (tempo, chords, wheel)
  }

  /// What is played, by beats; at one beat keys come up before others are struck.
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
    for way in wheel {
      for step in 0...40 {
        let share = Double(step) / 40
        let beat = way.times.lowerBound + (way.times.upperBound - way.times.lowerBound) * share
        let place = (way.from + (way.to - way.from) * share).rounded()
        moments.append((beat, 1, .controller(1, MIDIValue(UInt32(place), bits: 7))))
      }
    }
    return moments.sorted { ($0.beat, $0.order) < ($1.beat, $1.order) }
  }
}

extension Song {
  /// A phrase on the first channel.
  public init(_ phrase: Phrase) {
    let beat = 60 / phrase.tempo
    let messages = phrase.moments.map {
      TimedMessage(seconds: $0.beat * beat, channel: 0, message: $0.message)
    }
    let length = messages.last?.seconds ?? 0
    self.init(messages, perMinute: Float(phrase.tempo), length: length)
  }
}
