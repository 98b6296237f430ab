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
