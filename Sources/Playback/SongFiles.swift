import Control
import Scenes
import Song
import System

/// The songs that the player keeps, and those that came with pipit.
public enum SongFiles {
  /// A file in a folder.
  struct File: Equatable, Sendable {
    let folder: String
    let name: String
    /// The name without its ending.
    let title: String

    init(folder: String, name: String) {
      (self.folder, self.name, title) = (folder, name, SongFiles.title(name))
    }

    /// The path.
    var path: String { folder + "/" + name }
  }

  /// The songs in a folder in the order of their names; none without the folder.
  static func names(in folder: String) -> [String] {
    (fileNames(in: folder) ?? []).filter { $0.utf8.count > ending(of: $0) && ending(of: $0) > 0 }
  }

  /// The name of a file without its ending.
  static func title(_ name: String) -> String { String(name.dropLast(ending(of: name))) }

  /// The length of the ending of a MIDI file's name; 0 for other files.
  private static func ending(of name: String) -> Int {
    let lower = name.lowercased()
    return songEndings.first { lower.hasSuffix($0) }?.count ?? 0
  }

  /// The song with a name, with or without its ending, in the first of some folders that has one; or else the only
  /// one whose name begins with these letters, in any case. Throws if there is none, or if the first folder with such
  /// a name has several.
  static func find(_ written: String, in folders: [String]) throws(RequestRefused) -> File {
    let all = folders.map { (folder: $0, names: names(in: $0)) }
    for (folder, names) in all {
      let named = names.first { $0 == written } ?? names.first { title($0) == written }
      if let named { return File(folder: folder, name: named) }
    }
    for (folder, names) in all {
      let begun = names.filter { $0.lowercased().hasPrefix(written.lowercased()) }
      if begun.count > 1 {
        throw RequestRefused("\(quoted(written)) may be \(begun.joined(separator: ", "))")
      }
      if let name = begun.first { return File(folder: folder, name: name) }
    }
    throw RequestRefused(
      "no song begins with \(quoted(written)) in \(folders.joined(separator: " or "))")
  }

  /// Songs as a kind of files: the MIDI files in the player's folder, and those in `others`, the folder of songs that
  /// came with pipit.
  public static func kind(_ folder: String, others: String? = nil) -> FileKind {
    FileKind(
      FileShelf(folder, endings: songEndings, kind: "song"), others: others, limit: SongPlayer.maxBytes,
      seconds: { path in
        guard let bytes = try? readFile(path, limit: SongPlayer.maxBytes, waits: false),
          let song = try? Song(bytes)
        else { return nil }
        return Int(clamping: min(song.length, Double(Limits.songSeconds)).rounded(.up))
      },
      problem: { bytes in
        do throws(SongError) {
          _ = try Song(bytes)
          return nil
        } catch { return "cannot read this as a MIDI file: \(error)" }
      })
  }
}
