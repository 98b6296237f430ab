import Presets
import Storage
import System

/// Documents as the files of a backup: texts that `pipit presets import` reads as well. Pure functions, any thread.
///
/// The preset of slot 1/5 is `presets/1-5.txt`, its last version before `presets/1-5.earlier-1.txt`; the session is
/// `session.txt`.
enum DocumentFiles {
  private static let ending = ".txt"
  private static let earlier = ".earlier-"

  // MARK: - Writing

  /// The files of all versions of documents, sorted, in a spool, and a sentence about each that is left out. Throws if the disk is full.
  static func files(
    _ documents: [DocumentID: DocumentHistory], _ spool: inout Spool
  ) throws(BackupError) -> (files: [BackupFile], problems: [String]) {
    var (files, problems): ([BackupFile], [String]) = ([], [])
    for (id, history) in documents.sorted(by: { $0.key < $1.key }) {
      for (age, document) in history.versions {
        let path = self.path(id, age)
        guard (try? BackupPath.checked(path)) == path else {
          problems.append("\(id) is left out, since its key is no file name")
          continue
        }
        let text = text(id, document)
        do throws(FileError) {
          files.append(
            BackupFile(
              path: path, try spool.add(text), checksum: BackupFile.checksum(text), modified: document.saved))
        } catch { throw BackupError("cannot make a backup: \(error)") }
      }
    }
    return (files, problems)
  }

  private static func path(_ id: DocumentID, _ age: Int) -> String {
    let name = id.key.isEmpty ? id.kind.name : "\(id.kind.name)s/\(encoded(id.key))"
    return name + (age == 0 ? "" : "\(earlier)\(age)") + ending
  }

  /// The text with lines for the name and for the slot of a preset after its first line.
  private static func text(_ id: DocumentID, _ document: Document) -> [UInt8] {
    let bytes = Array(document.text.utf8)
    if document.name.isEmpty { return bytes }
    var lines = "name \(document.name)\n"
    let numbers = id.key.split(separator: "/")
    if id.kind == .preset, numbers.count == 2 { lines += "slot \(numbers[0]) \(numbers[1])\n" }
    let first = bytes.firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
    var text = Array(bytes[..<first])
    if text.last != newline { text.append(newline) }
    text += Array(lines.utf8)
    text += bytes[first...]
    return text
  }

  private static let newline = UInt8(ascii: "\n")

  // MARK: - Reading

  /// The histories of the documents of some kinds, read from files; other files are ignored. Throws for a file that
  /// is too long or not UTF-8.
  static func documents(
    _ files: [BackupFile], _ kinds: [DocumentKind]
  ) throws(BackupError) -> [DocumentID: DocumentHistory] {
    var versions: [DocumentID: [(age: Int, document: Document)]] = [:]
    for file in files {
      guard let (id, age) = identity(file.path, kinds) else { continue }
      versions[id, default: []].append((age, try document(id, file)))
    }
    var documents: [DocumentID: DocumentHistory] = [:]
    for (id, all) in versions {
      let sorted = all.sorted { $0.age > $1.age }
      let earlier = sorted.filter { $0.age > 0 }.map(\.document).suffix(id.kind.earlierVersions)
      documents[id] = DocumentHistory(
        current: sorted.first { $0.age == 0 }?.document, earlier: Array(earlier))
    }
    return documents
  }

  /// The document that a path names, and the age of the version, 0 for the current one; nil for any other file.
  static func identity(_ path: String, _ kinds: [DocumentKind]) -> (id: DocumentID, age: Int)? {
    guard path.hasSuffix(ending) else { return nil }
    var name = path.dropLast(ending.count)
    var age = 0
    let parts = name.split(separator: ".")
    if let last = parts.last, parts.count > 1, ("." + last).hasPrefix(earlier),
      let number = Int(last.dropFirst(earlier.count - 1)), number > 0
    {
      age = number
      name = name.dropLast(last.count + 1)
    }
    for kind in kinds {
      if name == kind.name { return (DocumentID(kind), age) }
      guard name.hasPrefix("\(kind.name)s/"), let key = decoded(name.dropFirst(kind.name.count + 2)) else {
        continue
      }
      return (DocumentID(kind, key), age)
    }
    return nil
  }

  private static func document(_ id: DocumentID, _ file: BackupFile) throws(BackupError) -> Document {
    var bytes = try file.bytes()[...]
    var name = ""
    if let first = bytes.firstIndex(of: newline) {
      let head = bytes[...first]
      var rest = bytes[(first + 1)...]
      if let line = line(of: &rest, "name ") {
        name = Document.name(line) ?? ""
        if id.kind == .preset { _ = self.line(of: &rest, "slot ") }
        bytes = (Array(head) + Array(rest))[...]
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else {
      throw BackupError("the backup is damaged: \(file.path) is no text")
    }
    if bytes.count > id.kind.textBytes {
      throw BackupError(
        "the backup holds \(file.path) with \(bytes.count) bytes; the limit is \(id.kind.textBytes)")
    }
    return Document(name: name, text: text, saved: file.modified)
  }

  /// Removes the first line of `bytes` if it begins with `word`, and returns its rest.
  private static func line(of bytes: inout ArraySlice<UInt8>, _ word: String) -> String? {
    guard bytes.starts(with: Array(word.utf8)), let end = bytes.firstIndex(of: newline) else { return nil }
    defer { bytes = bytes[(end + 1)...] }
    return String(decoding: bytes[..<end].dropFirst(word.utf8.count), as: UTF8.self)
  }

  // MARK: - Keys

  /// A key as a file name: `-` for a slash, and `%` with two digits for everything but letters, digits and `_`.
  private static func encoded(_ key: String) -> String {
    key.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if byte == UInt8(ascii: "/") { return "-" }
      if byte == UInt8(ascii: "_") || scalar.isASCII && scalar.properties.isAlphabetic
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      {
        return String(scalar)
      }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func decoded(_ name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "/"))
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    let key = String(decoding: bytes, as: UTF8.self)
    return key.isEmpty || encoded(key) != name ? nil : key
  }
}
