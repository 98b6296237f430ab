import MIDI
import Presets
import Song

/// What the programs of songs mean, as the option `programs` says it.
enum SongPrograms: String, CaseIterable {
  /// General MIDI's where the song says so, or has programs as General MIDI has them; else pipit's.
  case auto
  /// General MIDI's.
  case gm
  /// Those of pipit's own banks.
  case pipit

  /// What they mean in a song, which is played with or without MPE.
  func order(of song: Song, _ library: Library, mpe: MPESetting = .auto) -> ProgramOrder {
    if !library.hasGeneralMIDI { return .pipit }
    switch self {
    case .auto: return song.isGeneralMIDI(mpe: mpe) ? .gm : .pipit
    case .gm: return .gm
    case .pipit: return .pipit
    }
  }
}
