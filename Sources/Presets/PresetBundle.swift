import Glibc
import Parameters
import Scenes
import Storage
import System

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

/// A preset that was read and checked, to be stored. Any thread.
public struct CheckedPreset: Sendable {
  /// The line of the bundle on which it begins, from 1.
  let line: Int
  /// Its name; empty if it is refused.
  var name = ""
  /// The slot that the text names; nil without one.
  var slot: Slot?
  /// The text without name and slot, as it is stored.
  var text = ""
  /// The lines that could not be read, numbered as those of the bundle.
  var warnings: [TextWarning] = []
  /// Why it is refused; empty if it is not.
  var problem = ""

  /// What could not be read, and why.
  init(line: Int, problem: String) { (self.line, self.problem) = (line, problem) }

  /// Reads and checks a text of pipit or of amsynth.
  /// - Parameters:
  ///   - fallback: The name of a text without one.
  ///   - line: The line of the bundle on which it begins.
  init(_ text: String, name fallback: String, line: Int = 1) {
    self.line = line
    let foreign = AmsynthPreset.isOne(text) ? AmsynthSound(AmsynthPreset(text)) : nil
    let text = foreign?.text ?? text
    let bare = PresetText.bare(text)
    do throws(TextRefusal) {
      // The lines that an export adds are not stored, so they do not count.
      try TextFormat.check(bare, kind: "preset", limit: Limits.presetBytes)
      let reading = try PresetText.read(text, limit: .max, names: NameRegister())
      guard let name = reading.name ?? Document.name(fallback) else {
        problem = "the text has no line with a name"
        return
      }
      (self.name, slot, self.text) = (name, reading.slot, bare)
      warnings = (foreign?.losses ?? reading.warnings).map { $0.after(lines: line - 1) }
    } catch {
      problem = error.description
    }
  }
}

/// Reads a bundle in pieces of whole presets, so that neither its texts nor the time for it are needed at once. A value
/// type, whose methods wait for the disk; any thread.
public struct BundleReader: Sendable {
  private let file: FileContents
  private let fallback: String
  private var position = 0
  private var line = 1

  /// A piece ends with the first preset that ends here or later, bytes.
  var pieceBytes = 32 << 10
  /// The length of the longest piece, bytes. A text of this length without another preset is too long for a preset.
  private static let longestPiece = 1 << 20
  private static let head = Array("pipit preset ".utf8)

  /// A reader of a file. Nil if it is no UTF-8 text.
  /// - Parameter fallback: The name of texts without one.
  public init?(_ file: FileContents, name fallback: String) throws(FileError) {
    (self.file, self.fallback) = (file, fallback)
    var rest = self
    while let piece = try rest.nextPiece() { if piece.text == nil { return nil } }
  }

  /// Reads and checks the presets of the next piece; nil at the end.
  public mutating func next() -> [CheckedPreset]? {
    do throws(FileError) {
      guard let piece = try nextPiece() else { return nil }
      return PresetText.parts(piece.text ?? "").map { line, text in
        CheckedPreset(text, name: fallback, line: piece.line + line - 1)
      }
    } catch {
      position = file.count
      return [CheckedPreset(line: line, problem: error.description)]
    }
  }

  /// The text of the next piece, nil if it is no UTF-8, and its first line.
  private mutating func nextPiece() throws(FileError) -> (text: String?, line: Int)? {
    let bytes = try nextBytes()
    if bytes.isEmpty { return nil }
    let text = String(validating: bytes, as: UTF8.self)
    defer {
      position += bytes.count
      line += text?.count(where: \.isNewline) ?? 0
    }
    return (text, line)
  }

  /// The bytes up to a beginning of a preset. A bank of amsynth is one piece, because its presets are numbered.
  private func nextBytes() throws(FileError) -> ArraySlice<UInt8> {
    let start = position == 0 ? try file.read(at: 0, count: 64) : []
    let isBank = AmsynthPreset.isOne(String(decoding: start, as: UTF8.self))
    var length = isBank ? BundleReader.longestPiece : 2 * pieceBytes
    while true {
      let bytes = try file.read(at: position, count: length)
      if !isBank, let end = BundleReader.beginning(in: bytes, after: pieceBytes) { return bytes[..<end] }
      if bytes.count < length || position + length == file.count { return bytes[...] }
      if length >= BundleReader.longestPiece {
        // Between two characters.
        let last = bytes.indices.suffix(4).last { bytes[$0] & 0xC0 != 0x80 }
        return bytes[..<(last ?? bytes.endIndex)]
      }
      length = min(2 * length, BundleReader.longestPiece)
    }
  }

  /// The first beginning of a preset after an index; nil if there is none.
  private static func beginning(in bytes: [UInt8], after start: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      var from = start
      while var begin = head.withUnsafeBytes({ all.firstIndex(of: $0, from: from) }) {
        from = begin + 1
        // Byte order marks, of three bytes each, may come before it.
        while begin >= 3, all[begin - 3..<begin].elementsEqual("\u{FEFF}".utf8) { begin -= 3 }
        if begin > start, all[begin - 1] == UInt8(ascii: "\n") { return begin }
      }
      return nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Where some bytes are found first, from an index on; nil if they are not.
  func firstIndex(of word: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = baseAddress, let letters = word.baseAddress, let first = word.first else { return nil }
    var from = start
    while from + word.count <= count,
      let found = memchr(base + from, Int32(first), count - from - word.count + 1)
    {
      let index = UnsafeRawPointer(found) - base
      if memcmp(found, letters, word.count) == 0 { return index }
      from = index + 1
    }
    return nil
  }
}

extension Library {
  /// Stores a checked preset as a user preset. It replaces the user preset of its name, or else gets the slot that its
  /// text names if that is free, or else the first free slot. After the last of several, `endImport` must be called.
  public func place(_ checked: CheckedPreset) -> ImportedPreset {
    func outcome(_ slot: Slot?, _ problem: String) -> ImportedPreset {
      ImportedPreset(
        line: checked.line, name: slot == nil ? "" : checked.name, slot: slot,
        isReplacement: known != nil && slot != nil, problem: problem,
        warnings: slot == nil ? [] : checked.warnings)
    }
    let known = userSlot(named: checked.name)
    if !checked.problem.isEmpty { return outcome(nil, checked.problem) }
    let empty = checked.slot.flatMap { slot in slot.isFactory || self[slot] != nil ? nil : slot }
    guard let slot = known ?? empty ?? freeSlot else {
      return outcome(nil, "could not import \"\(checked.name)\": all banks are full")
    }
    do throws(DocumentError) {
      try documents.save(Document(name: checked.name, text: checked.text), .preset, slot.key)
      indexPreset(slot)
      return outcome(slot, "")
    } catch { return outcome(nil, error.description) }
  }

  /// Ends an import: lists that were made before are no longer valid.
  public func endImport() { edition += 1 }
}
