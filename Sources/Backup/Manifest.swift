import Scenes

/// The description of a backup and its files: its first file, a text.
///
/// ```
/// pipit backup 1
/// version 0.2.0
/// made 1764045786
/// host raspberrypi
/// kinds preset session devices cards
/// file 1c291ca3 420 presets/1-5.txt
/// end
/// ```
struct Manifest: Sendable, Equatable {
  /// The version of pipit that made it.
  var version: String
  /// When it was made, seconds since 1970.
  var made: Int
  /// The name of the machine.
  var host: String
  /// The kinds of documents that it covers, including those without a document.
  var kinds: [String]
  var files: [Entry] = []

  struct Entry: Sendable, Equatable {
    let checksum: UInt32
    let bytes: Int
    let path: String
  }

  private static let head = "pipit backup "
  private static let format = 1

  var text: String {
    var text = Manifest.head + "\(Manifest.format)\nversion \(version)\nmade \(made)\nhost \(host)\n"
    text += "kinds \(kinds.joined(separator: " "))\n"
    for file in files { text += "file \(String(file.checksum, radix: 16)) \(file.bytes) \(file.path)\n" }
    return text + "end\n"
  }

  init(version: String, made: Int, host: String, kinds: [String]) {
    (self.version, self.made, self.host, self.kinds) = (version, made, host, kinds)
  }

  /// Reads the text. Unknown lines were written by a newer pipit, and are skipped. Throws if it is not a manifest, or
  /// its end is missing.
  init(_ text: String) throws(BackupError) {
    let lines = text.split(separator: "\n")
    guard let first = lines.first, first.hasPrefix(Manifest.head),
      Int(first.dropFirst(Manifest.head.count)) != nil
    else {
      throw BackupError(
        "this is no backup of pipit: its file manifest.txt does not begin with 'pipit backup'")
    }
    guard lines.last == "end" else {
      throw BackupError("the backup is damaged: the end of manifest.txt is missing")
    }
    self.init(version: "?", made: 0, host: "?", kinds: [])
    for (index, line) in lines.enumerated() {
      let word = line.prefix { $0 != " " }
      let rest = String(line.dropFirst(word.count + 1))
      switch word {
      case "version": version = Manifest.word(rest)
      case "host": host = Manifest.word(rest)
      case "made": made = Int(rest) ?? 0
      case "kinds": kinds = rest.split(separator: " ").map(String.init)
      case "file":
        let words = rest.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, let checksum = UInt32(words[0], radix: 16), let bytes = Int(words[1]),
          bytes >= 0
        else { throw BackupError("the backup is damaged: line \(index + 1) of manifest.txt is wrong") }
        files.append(Entry(checksum: checksum, bytes: bytes, path: try BackupPath.checked(words[2])))
      default: break
      }
    }
    if files.count > Limits.backupFiles {
      throw BackupError("the backup names \(files.count) files; the limit is \(Limits.backupFiles)")
    }
  }

  /// Untrusted text for a message: its printable ASCII characters without spaces, 64 at most.
  private static func word(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.isASCII && $0.value > 32 }.prefix(64).map(Character.init))
  }
}
