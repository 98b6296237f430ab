import MIDI
import Surface
import System

/// The text files that define what the pads of controller models do.
enum PadFiles {
  /// The most files of one folder.
  private static let mostFiles = 256

  /// Reads the files of the folders, those of the first folder first. A file whose name occurs in an earlier folder
  /// is left out, and so is one that cannot be read. `log` receives the problems.
  static func maps(in folders: [String], log: (String) -> Void) -> [PadMap] {
    var (maps, names): ([PadMap], Set<String>) = ([], [])
    for folder in folders {
      let files = (fileNames(in: folder) ?? []).filter { $0.hasSuffix(".txt") }.prefix(mostFiles)
      for file in files where names.insert(file).inserted {
        do {
          let bytes = try readFile(folder + "/" + file, limit: PadMap.mostBytes, waits: false)
          let map = try PadMap(reading: String(decoding: bytes, as: UTF8.self), name: file)
          for problem in Pads.problems(of: map) { log(.warning("pads: \(problem); this pad does nothing")) }
          maps.append(map)
        } catch {
          log(.warning("pads: \(error); the file is not used"))
        }
      }
    }
    return maps
  }
}
