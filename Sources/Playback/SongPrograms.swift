import MIDI
import Presets
import Scenes
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

/// Maps the program changes of a song to presets.
public struct ProgramMap {
  /// The presets.
  public let library: Library
  /// The order of the programs in the song.
  public let order: ProgramOrder
  /// Programs for which there was no preset, each once, as `bank 0 program 7`.
  public private(set) var missing: [String] = []

  /// A map of the programs of `library` in an order.
  public init(_ library: Library, order: ProgramOrder) { (self.library, self.order) = (library, order) }

  /// The patch that a program change on a channel 0…15 chooses; nil if there is no preset for it.
  public mutating func patch(bank: Int, program: Int, channel: Int) -> Patch? {
    let preset = library.preset(bank: bank, program: program, channel: channel, order: order)
    if let patch = preset.flatMap({ library.patch(of: $0) }) { return patch }
    let name = "bank \(bank) program \(program)"
    if !missing.contains(name) { missing.append(name) }
    return nil
  }
}
