import MIDI
import Presets
import Song

/// The meaning of a song's programs, as the option `programs` names it.
public enum SongPrograms: String, CaseIterable {
  /// General MIDI's, unless the song says that it is for pipit.
  case auto
  /// General MIDI's.
  case gm
  /// Those of pipit's banks.
  case pipit

  /// The order of the programs in a song, and words for people about it with the reason; the words are empty without
  /// a bank of General MIDI. `mpe` says whether the song is read as MPE.
  public func order(
    of song: Song, _ library: Library, mpe: MPESetting = .auto
  ) -> (order: ProgramOrder, words: String) {
    if !library.hasGeneralMIDI { return (.pipit, "") }
    switch self {
    case .auto:
      let meaning = song.programMeaning(mpe: mpe)
      let words = meaning.isGeneralMIDI ? "General MIDI" : "pipit's banks"
      return (meaning.isGeneralMIDI ? .gm : .pipit, "\(words), because \(meaning.reason)")
    case .gm: return (.gm, "General MIDI, as asked")
    case .pipit: return (.pipit, "pipit's banks, as asked")
    }
  }
}
