import Glibc
import Presets
import Storage
import System

/// The state of a box at one moment: documents from memory, and files from the disk.
public struct BoxSnapshot: Sendable {
  private let collections: [DocumentCollection]
  let folders: BoxFolders
  let version: String
  let time: Int

  /// A snapshot.
  /// - Parameter version: The version of pipit.
  package init(_ collections: [DocumentCollection], _ folders: BoxFolders, version: String) {
    (self.collections, self.folders, self.version) = (collections, folders, version)
    time = Int(wallTime())
  }

  /// All versions of the player's documents at that moment. Takes longer the more there are.
  package var documents: [DocumentID: DocumentHistory] { collections.histories }

  /// A backup: its bytes, a name for its file, and a sentence about each file that is left out.
  public struct Made: Sendable {
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// A name for the file, as `pipit-raspberrypi-2026-11-25.tar.gz`.
    public let name: String
    /// A sentence about each file that is left out.
    public let problems: [String]
  }

  /// Makes a backup. Waits for the disk; any thread. Throws if it would exceed the limits.
  public func backup() throws(BackupError) -> Made {
    let (texts, oddities) = DocumentFiles.files(documents)
    let (files, problems) = folders.files()
    let manifest = Manifest(
      version: version, made: time, host: BoxSnapshot.host, kinds: DocumentKind.ofPlayer.map(\.name))
    return Made(
      bytes: try BackupArchive.bytes(manifest, texts + files),
      name: "pipit-\(BoxSnapshot.host)-\(BoxSnapshot.date(time, "%Y-%m-%d")).tar.gz",
      problems: oddities + problems)
  }

  /// The name of this machine, reduced to ASCII letters, digits and `-`; `box` if nothing is left.
  static var host: String {
    let name = hostName().utf8.filter { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || byte == UInt8(ascii: "-")
    }
    return name.isEmpty ? "box" : String(decoding: name, as: UTF8.self)
  }

  /// A time, in seconds since 1970, as text in the local time zone and in a format of `strftime`.
  static func date(_ seconds: Int, _ format: String) -> String {
    var (time, parts) = (time_t(seconds), tm())
    localtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 64)
    strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
