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

// The phrase of each kind of sound. Keys are MIDI key numbers: 60 is middle C.

// swift-format-ignore
extension Phrase {
  /// A line in the low octaves, with slurs and a wheel move on a long note.
  public static let basses = Phrase(108, [
    Chord(0, 0.9, [28], 110), Chord(1, 0.4, [40], 90), Chord(1.5, 0.45, [38], 100), Chord(2, 0.9, [31], 112),
    Chord(3, 0.55, [33], 90), Chord(3.5, 0.5, [35], 90), Chord(4, 0.4, [28], 118), Chord(4.5, 0.4, [40], 96),
    Chord(5, 0.4, [43], 110), Chord(5.5, 0.4, [47], 100), Chord(6, 0.55, [45], 100), Chord(6.5, 0.45, [43], 90),
    Chord(7, 0.9, [40], 80), Chord(8, 4, [28], 120),
  ], wheel: [Move(9...11, 0, 110)])

  /// A melody with a slur, a soft reply and a long last note.
  public static let leads = Phrase(108, [
    Chord(0, 1.4, [57], 112), Chord(1.5, 0.45, [60], 90), Chord(2, 1.9, [64], 116), Chord(4, 0.9, [62], 100),
    Chord(5, 0.95, [60], 76), Chord(5.9, 2, [67], 120), Chord(8, 0.45, [72], 100), Chord(8.5, 0.45, [71], 96),
    Chord(9, 0.95, [67], 104), Chord(9.95, 4, [69], 112),
  ], wheel: [Move(11...13, 0, 100)])

  /// Two wide chords and a voice above them.
  public static let pads = Phrase(80, [
    Chord(0, 4.4, [50, 57, 65, 72], 84), Chord(2, 2.4, [76], 72), Chord(4.5, 4.5, [46, 53, 62, 69], 88),
    Chord(7, 2, [77], 76), Chord(9, 4, [48, 55, 64, 71], 92),
  ], wheel: [Move(10...12, 0, 70)])

  /// Chords soft and hard, and a melody between them.
  public static let keys = Phrase(92, [
    Chord(0, 1.8, [50, 60, 65, 69], 62), Chord(1.5, 0.4, [76], 76), Chord(2, 1.9, [43, 59, 65, 69], 86),
    Chord(3.5, 0.4, [74], 92), Chord(4, 1.9, [48, 59, 64, 67], 108), Chord(5, 0.4, [71], 84),
    Chord(5.5, 0.4, [67], 76), Chord(6, 1.9, [45, 55, 60, 64], 116), Chord(7, 0.9, [76], 112),
    Chord(8, 0.5, [41, 57, 60, 64], 96), Chord(8.5, 0.5, [67], 88), Chord(9, 3, [48, 55, 64, 72], 104),
  ], wheel: [Move(10...11.5, 0, 90)])

  /// Broken chords in eighths with some keys together.
  public static let plucks = Phrase(112, [
    Chord(0, 0.5, [48, 64, 72], 104), Chord(0.5, 0.5, [67], 84), Chord(1, 0.5, [71], 90), Chord(1.5, 0.5, [76], 100),
    Chord(2, 0.5, [55, 74], 104), Chord(2.5, 0.5, [71], 80), Chord(3, 0.5, [67], 88), Chord(3.5, 0.5, [62], 84),
    Chord(4, 0.5, [45, 64, 72], 112), Chord(4.5, 0.5, [69], 84), Chord(5, 0.5, [72], 90), Chord(5.5, 0.5, [76], 104),
    Chord(6, 0.5, [53, 72], 104), Chord(6.5, 0.5, [69], 80), Chord(7, 0.5, [65], 88), Chord(7.5, 0.5, [60], 92),
    Chord(8, 3, [48, 55, 64, 71, 79], 116),
  ], wheel: [Move(9...10, 0, 100)])

  /// Chords under a melody, then a held chord with a wheel move.
  public static let organs = Phrase(104, [
    Chord(0, 1.9, [55, 60, 64], 90), Chord(0, 0.95, [72], 96), Chord(1, 0.45, [74], 92), Chord(1.5, 0.45, [76], 96),
    Chord(2, 1.9, [57, 60, 65], 90), Chord(2, 0.95, [77], 100), Chord(3, 0.95, [72], 90),
    Chord(4, 1.9, [55, 59, 62], 94), Chord(4, 0.45, [74], 100), Chord(4.5, 0.45, [71], 92), Chord(5, 0.95, [67], 96),
    Chord(6, 5, [48, 55, 64, 72], 104),
  ], wheel: [Move(7.5...9, 0, 110)])

  /// Short strokes, then legato chords.
  public static let strings = Phrase(96, [
    Chord(0, 0.4, [50, 57, 66], 108), Chord(0.5, 0.4, [50, 57, 66], 92), Chord(1, 0.9, [52, 59, 67], 108),
    Chord(2, 2, [50, 57, 62, 69], 96), Chord(4, 2, [43, 55, 62, 71], 90), Chord(6, 2, [45, 57, 64, 73], 100),
    Chord(8, 4, [38, 57, 66, 74], 112),
  ], wheel: [Move(9...11, 0, 80)])

  /// A long chord, for sounds that move by themselves.
  public static let motion = Phrase(120, [
    Chord(0, 11.5, [45, 57], 96), Chord(4, 7.5, [64], 88), Chord(8, 3.5, [72], 100), Chord(12, 4, [41, 53, 60], 108),
  ], wheel: [Move(13...15, 0, 100)])

  /// Two bars of a beat, hard and soft, with other keys at the end.
  public static let drums = Phrase(104, [
    Chord(0, 0.2, [36], 118), Chord(0.75, 0.2, [36], 76), Chord(1.5, 0.2, [36], 108), Chord(2, 0.2, [36], 122),
    Chord(3, 0.2, [36], 90), Chord(3.5, 0.2, [36], 104), Chord(4, 0.2, [36], 124), Chord(4.5, 0.2, [38], 100),
    Chord(5, 0.2, [36], 112), Chord(5.5, 0.2, [41], 92), Chord(6, 0.2, [36], 120), Chord(6.5, 0.2, [36], 84),
    Chord(7, 0.2, [33], 108), Chord(7.5, 0.2, [43], 112), Chord(8, 0.2, [36], 124),
  ])
}

// The phrases of sounds that play steps or chords: keys that are held for a bar or two, or struck one by one.

// swift-format-ignore
extension Phrase {
  /// A chord in each bar for an arpeggiator, with a swell of pressure and a wheel move.
  public static let arpeggios = Phrase(120, [
    Chord(0, 3.9, [57, 60, 64, 69], 96), Chord(4, 3.9, [53, 57, 60, 65], 88), Chord(8, 3.9, [55, 60, 64, 67], 108),
    Chord(12, 3.9, [55, 59, 62, 67], 100), Chord(16, 4, [57, 60, 64, 72], 112),
  ], wheel: [Move(17...19, 0, 100)], pressure: [Move(0...4, 30, 110), Move(4...12, 110, 60), Move(12...18, 60, 120)])

  /// Single low keys for a sequence or an arpeggio of octaves, two bars of the first.
  public static let lowSteps = Phrase(120, [
    Chord(0, 7.9, [33], 104), Chord(8, 3.9, [29], 96), Chord(12, 3.9, [31], 112), Chord(16, 4, [33], 120),
  ], wheel: [Move(17...19, 0, 110)], pressure: [Move(4...8, 0, 100), Move(8...12, 100, 0)])

  /// Single keys in the middle for a sequence, two bars of the first.
  public static let steps = Phrase(120, [
    Chord(0, 7.9, [57], 104), Chord(8, 3.9, [53], 96), Chord(12, 3.9, [55], 112), Chord(16, 4, [57], 120),
  ], wheel: [Move(17...19, 0, 110)], pressure: [Move(4...8, 0, 100), Move(8...12, 100, 0)])

  /// Single keys for a chord memory: long and short strokes, soft and hard, then one that rings.
  public static let stabs = Phrase(112, [
    Chord(0, 1.4, [48], 104), Chord(1.5, 0.4, [48], 80), Chord(2.5, 0.4, [51], 92), Chord(3, 0.9, [53], 112),
    Chord(4, 1.4, [46], 100), Chord(5.5, 0.4, [46], 76), Chord(6.5, 0.4, [50], 96), Chord(7, 0.9, [51], 116),
    Chord(8, 4, [48], 108),
  ], wheel: [Move(9...11, 0, 100)])
}
