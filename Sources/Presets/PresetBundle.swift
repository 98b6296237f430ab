import Storage

// Several presets in one text, each beginning with its first line; or a bank of amsynth.

/// The outcome of the import of one preset of a bundle.
public struct ImportedPreset: Sendable, Equatable {
  /// The line of the bundle on which it begins, from 1.
  public let line: Int
  /// Its name; empty if it was refused.
  public let name: String
  /// Its slot; nil if it was refused.
  public let slot: Slot?
  /// Whether it replaced a preset of its name.
  public let isReplacement: Bool
  /// Why it was refused; empty if it was not.
  public let problem: String
  /// The lines that could not be read, numbered as those of the bundle.
  public let warnings: [TextWarning]
}

extension PresetText {
  /// Splits a bundle into the texts of its presets, each with the line on which it begins, from 1.
  static func parts(_ text: String) -> [(line: Int, text: String)] {
    var parts: [(line: Int, text: String)] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if AmsynthPreset.isOne(text) { return AmsynthPreset.parts(lines) }
    for (index, line) in lines.enumerated() {
      let isFirst = line.drop { $0 == "\u{FEFF}" }.hasPrefix("pipit preset ")
      if parts.isEmpty && line.allSatisfy(\.isWhitespace) { continue }
      if isFirst || parts.isEmpty {
        parts.append((index + 1, ""))
      } else {
        parts[parts.count - 1].text += "\n"
      }
      parts[parts.count - 1].text += line
    }
    // Empty lines at the end separate two presets.
    for index in parts.indices {
      let isLast = index == parts.count - 1
      if !isLast { parts[index].text += "\n" }
      while parts[index].text.hasSuffix("\n\n") { parts[index].text.removeLast() }
    }
    return parts
  }

  /// Splits a bundle into the texts of its presets.
  public static func split(_ text: String) -> [String] {
    parts(text).map { $0.text.hasSuffix("\n") ? $0.text : $0.text + "\n" }
  }
}

extension Library {
  /// Imports the presets of a bundle one after the other, as `importText`, and continues after one that is refused.
  public func importBundle(_ text: String, name fallback: String = "") -> [ImportedPreset] {
    PresetText.parts(text).map { line, text in
      do throws(DocumentError) {
        let count = presetCount
        let (preset, warnings) = try importText(text, name: fallback)
        return ImportedPreset(
          line: line, name: preset.name, slot: preset.slot, isReplacement: presetCount == count, problem: "",
          warnings: warnings.map { $0.after(lines: line - 1) })
      } catch {
        return ImportedPreset(
          line: line, name: "", slot: nil, isReplacement: false, problem: error.description, warnings: [])
      }
    }
  }

  /// A bundle of presets, with their names and slots. Factory presets have the player's tags and favorites.
  public func bundle(_ presets: [Preset]) -> String {
    presets.map { preset in
      let text = exported(preset)
      return text.hasSuffix("\n") ? text : text + "\n"
    }.joined()
  }

  /// The player's presets, in the order of their slots.
  public var userPresets: [Preset] { presets.filter { !$0.isFactory } }
}
