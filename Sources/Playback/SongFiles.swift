import Control
import Song
import Synth
import System

/// The songs that the player keeps, and those that came with pipit.
public enum SongFiles {
  /// The MIDI files of a folder, and of a folder of pipit's own.
  public static func kind(_ folder: String, others: String? = nil) -> FileKind {
    FileKind(
      FileShelf(folder, endings: [".mid"], kind: "song"), others: others, limit: SongPlayer.maxBytes,
      seconds: { path in
        guard let bytes = try? readFile(path, limit: SongPlayer.maxBytes, waits: false),
          let song = try? Song(bytes)
        else { return nil }
        return Int(min(song.length, Double(Limits.songSeconds)).rounded(.up))
      },
      problem: { bytes in
        do throws(SongError) {
          _ = try Song(bytes)
          return nil
        } catch { return "cannot read this as a MIDI file: \(error)" }
      })
  }
}
