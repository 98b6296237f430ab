import Storage

/// A preset of amsynth as in its file. A file holds one preset or a bank of them:
///
/// ```
/// amSynth
/// <preset> <name> Bells
/// <parameter> osc1_waveform 0
/// ```
struct AmsynthPreset {
  /// The name in the file; empty if it has none.
  private(set) var name = ""
  /// Lines that could not be read.
  private(set) var warnings: [TextWarning] = []
  private var values: [AmsynthParameter: (value: Float, line: Int)] = [:]

  private static let begin = "<preset> <name>"
  /// The name that amsynth gives to unused slots of a bank.
  private static let unused = "New Preset"

  /// Whether a text is one of amsynth's: a file, or a preset of a bank.
  static func isOne(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("amSynth") || text.hasPrefix(begin)
  }

  /// Reads a preset.
  init(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(Self.begin) { name = String(line.dropFirst(Self.begin.count)) }
      guard line.hasPrefix("<parameter>") else { continue }
      let words = line.split(separator: " ").dropFirst()
      guard let word = words.first, word != "unused" else { continue }
      guard let parameter = AmsynthParameter(rawValue: String(word)) else {
        warnings.append(TextWarning(line: index + 1, problem: "amsynth has no parameter \(word)"))
        continue
      }
      guard let value = words.dropFirst().first.flatMap({ Float($0) }), value.isFinite else {
        warnings.append(TextWarning(line: index + 1, problem: "\(word) needs a number"))
        continue
      }
      let range = parameter.range
      values[parameter] = (max(range.lowerBound, min(value, range.upperBound)), index + 1)
    }
  }

  /// The value of a parameter.
  subscript(parameter: AmsynthParameter) -> Float { values[parameter]?.value ?? parameter.initial }

  /// The line of a parameter, from 1; 0 if the file does not have it.
  func line(_ parameter: AmsynthParameter) -> Int { values[parameter]?.line ?? 0 }

  /// Splits a bank into its presets, each with the line on which it begins, from 1. Unused slots are left out, and a
  /// name that occurred before in the bank gets a number.
  static func parts(_ lines: [Substring]) -> [(line: Int, text: String)] {
    var parts: [(line: Int, text: String)] = []
    var counts: [String: Int] = [:]
    var isUsed = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(begin) {
        let name = Document.name(String(line.dropFirst(begin.count))) ?? ""
        isUsed = name != unused
        if !isUsed { continue }
        let count = (counts[name] ?? 0) + 1
        counts[name] = count
        parts.append((index + 1, "\(begin) \(name)\(count > 1 ? " \(count)" : "")\n"))
      } else if isUsed, !parts.isEmpty {
        parts[parts.count - 1].text += line + "\n"
      }
    }
    return parts
  }
}
