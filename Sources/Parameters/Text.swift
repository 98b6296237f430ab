import Glibc
import Scenes

// Values as text for people.

extension Kind {
  /// The text of a label for a value: `1.20 kHz`, `saw`, `-6.0 dB`, `on`.
  public func text(value: Float) -> String {
    switch self {
    case .choice(let names): return names[max(0, min(Int(clamping: value), names.count - 1))]
    case .names(let fixed, let learned): return Kind.name(value, fixed, learned)
    case .toggle: return value >= 0.5 ? "on" : "off"
    case .steps(_, let unit): return signed(Int(clamping: value), unit)
    case .linear(_, let unit), .exponential(_, let unit), .cubic(_, let unit): return continuous(value, unit)
    }
  }

  /// Parses text written by a person: the name of a choice in any case, `on` or `off`, or a number in the unit, which
  /// is clamped. Nil for any other text.
  public func value(text: some StringProtocol) -> Float? {
    let word = text.lowercased()
    switch self {
    case .choice(let names):
      if let index = names.firstIndex(of: FormerNames.choice(word)) { return Float(index) }
    case .names(let fixed, let learned):
      if let index = fixed.firstIndex(of: word) { return Float(index) }
      if let index = learned?.number(word) { return Float(fixed.count + index) }
    case .toggle:
      if ["on", "true", "yes"].contains(word) { return 1 }
      if ["off", "false", "no"].contains(word) { return 0 }
    default:
      if unit == .key, let key = keyNumber(word) { return clamped(Float(key)) }
    }
    // Double, so that a percentage reads back to the same bits.
    guard let number = Double(word), number.isFinite else { return nil }
    return clamped(Float(number / Double(shown)))
  }

  /// The number or name for a preset file: the shortest one that reads back as the same value.
  public func exact(value: Float) -> String {
    if case .choice(let names) = self { return names[max(0, min(Int(clamping: value), names.count - 1))] }
    if case .names(let fixed, let learned) = self { return Kind.name(value, fixed, learned) }
    if case .toggle = self { return value >= 0.5 ? "on" : "off" }
    let short = shown == 1 ? "\(value)" : "\(shortest(value))"
    let words = self.value(text: short) == value ? short : "\(Double(value) * Double(shown))"
    return words.hasSuffix(".0") ? String(words.dropLast(2)) : words
  }

  private static func name(_ value: Float, _ fixed: [String], _ learned: NameRegister?) -> String {
    let index = max(0, Int(clamping: value))
    return index < fixed.count ? fixed[index] : learned?.name(index - fixed.count) ?? fixed[0]
  }

  private func signed(_ number: Int, _ unit: Unit) -> String {
    switch unit {
    case .semitones: "\(number) st"
    case .octaves: "\(number) oct"
    case .key: keyName(number)
    default: "\(number)"
    }
  }

  private func continuous(_ value: Float, _ unit: Unit) -> String {
    switch unit {
    case .hertz:
      if value >= 10_000 { return decimals(value / 1000, 1) + " kHz" }
      if value >= 1_000 { return decimals(value / 1000, 2) + " kHz" }
      return decimals(value, value < 10 ? 2 : value < 100 ? 1 : 0) + " Hz"
    case .seconds:
      if value < 0.1 { return decimals(value * 1000, value < 0.01 ? 1 : 0) + " ms" }
      return decimals(value, 2) + " s"
    case .decibels: return decimals(value, 1) + " dB"
    case .cents: return decimals(value, 1) + " ct"
    case .octaves: return decimals(value, 2) + " oct"
    case .beats: return decimals(value, 1) + " bpm"
    case .semitones: return decimals(value, 1) + " st"
    case .percent: return decimals(value * 100, 0) + " %"
    case .plain, .key: return decimals(value, 2)
    }
  }
}

/// Formats a number with `places` decimal digits.
public func decimals(_ value: Float, _ places: Int) -> String {
  let scale = pow(10, Double(places))
  let rounded = (Double(value) * scale).rounded()
  guard rounded.magnitude < 1e15 else { return "\(value)" }
  let whole = Int(clamping: rounded.magnitude)
  let unit = Int(clamping: scale)
  var text = rounded < 0 ? "-" : ""
  text += "\(whole / unit)"
  if places > 0 {
    let fraction = "\(whole % unit)"
    text += "." + String(repeating: "0", count: places - fraction.count) + fraction
  }
  return text
}

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

// A step of a sequence as text, in presets and over OSC: `NOTE VELOCITY GATE RATCHET`, `NOTE VELOCITY GATE RATCHET tie`
// or `rest`. Gate and ratchet may be left out.

extension SequenceStep {
  /// The words of a rest and of a tie.
  private static let rest = "rest"
  private static let tie = "tie"
  /// The form of the text of a step, for error messages.
  public static let expected =
    "a note from -60 to 60, a velocity, a gate from 2 to 200, a ratchet and tie; or rest"

  /// The step as text, which reads back to the same step.
  public var text: String {
    if self == SequenceStep() { return SequenceStep.rest }
    let numbers = "\(note) \(velocity) \(gate) \(ratchet)"
    return isTie ? numbers + " " + SequenceStep.tie : numbers
  }

  /// Reads the text of a step. Numbers out of range are clamped. Nil for any other text.
  public init?(_ text: some StringProtocol) {
    var words = text.split(separator: " ").map { String($0) }
    if words == [SequenceStep.rest] {
      self.init()
      return
    }
    let isTie = words.last == SequenceStep.tie
    if isTie { words.removeLast() }
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, (2...4).contains(numbers.count) else { return nil }
    self.init(
      note: numbers[0], velocity: numbers[1], gate: numbers.count > 2 ? numbers[2] : 50,
      ratchet: numbers.count > 3 ? numbers[3] : 1, isTie: isTie)
  }
}
