// Key names: middle C, MIDI key 60, is C4, as on the tablet's keys.

private let tones = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

/// The name of a key, `C-1` to `G9`; `key` is clamped to 0…127.
public func keyName(_ key: Int) -> String {
  let (octave, tone) = max(0, min(key, 127)).quotientAndRemainder(dividingBy: 12)
  return "\(tones[tone])\(octave - 1)"
}

/// The key for a name such as `c4`, `F#3` or `Bb-1`; nil if it names none of the 128 keys.
public func keyNumber(_ name: String) -> Int? {
  let naturals: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
  var rest = name.lowercased()[...]
  guard let letter = rest.popFirst(), var key = naturals[letter] else { return nil }
  if rest.first == "#" || rest.first == "b" { key += rest.removeFirst() == "#" ? 1 : -1 }
  guard rest.first != "+", let octave = Int(rest), (-1...9).contains(octave) else { return nil }
  key += 12 * (octave + 1)
  return (0...127).contains(key) ? key : nil
}
