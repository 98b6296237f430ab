import MIDI
import Presets
import Song

/// The meaning of a song's programs, as the option `programs` names it.
public enum SongPrograms: String, CaseIterable {
  /// General MIDI's if the song says so or uses programs as in General MIDI; otherwise pipit's.
  case auto
  /// General MIDI's.
  case gm
  /// Those of pipit's banks.
  case pipit

  /// The order of the programs in a song. `mpe` says whether the song is read as MPE.
  public func order(of song: Song, _ library: Library, mpe: MPESetting = .auto) -> ProgramOrder {
    if !library.hasGeneralMIDI { return .pipit }
    switch self {
    case .auto: return song.isGeneralMIDI(mpe: mpe) ? .gm : .pipit
    case .gm: return .gm
    case .pipit: return .pipit
    }
  }
}
