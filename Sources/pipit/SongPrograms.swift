import Presets
import Song

/// What the programs of songs mean, as the option `programs` says it.
enum SongPrograms: String, CaseIterable {
  /// General MIDI's where the song says so by GM System On or what has grown out of it, else pipit's.
  case auto
  /// General MIDI's.
  case gm
  /// Those of pipit's own banks.
  case pipit

  /// What they mean in a song.
  func order(of song: Song, _ library: Library) -> ProgramOrder {
    if !library.hasGeneralMIDI { return .pipit }
    switch self {
    case .auto: return song.setUp == .generalMIDI ? .gm : .pipit
    case .gm: return .gm
    case .pipit: return .pipit
    }
  }
}
