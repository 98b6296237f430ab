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

  /// A backup: its contents, a name for its file, and a sentence about each file that is left out.
  public struct Made: Sendable {
    /// The file, on the disk of the state folder.
    public let file: FileContents
    /// A name for the file, as `pipit-raspberrypi-2026-11-25.tar.gz`.
    public let name: String
    /// A sentence about each file that is left out.
    public let problems: [String]
  }

  /// Makes a backup. Waits for the disk; any thread. Throws if it would exceed the limits.
  public func backup() throws(BackupError) -> Made {
    var spool = Spool(in: folders.state)
    let (texts, oddities) = try DocumentFiles.files(documents, &spool)
    let (files, problems) = folders.files(&spool)
    let manifest = Manifest(
      version: version, made: time, host: BoxSnapshot.host, kinds: DocumentKind.ofPlayer.map(\.name))
    return Made(
      file: try BackupArchive.make(manifest, texts + files, in: folders.state),
      name: "pipit-\(BoxSnapshot.host)-\(dateText(time, "%Y-%m-%d")).tar.gz",
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
}
