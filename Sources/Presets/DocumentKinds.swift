import Scenes
import Storage

/// The kinds of documents that pipit stores. To add a kind, add it here and to `all`; the table on disk needs no
/// change.
extension DocumentKind {
  /// User presets: `PresetText` under the key of a slot.
  public static let preset = DocumentKind(
    "preset", earlierVersions: 4, textBytes: Limits.presetBytes, reports: .savesAndFailures,
    keys: slots(Slot.userNumbers))

  /// The player's marks of factory presets, which are files: the text of `PresetMark` under the name of the preset.
  public static let mark = DocumentKind("mark", textBytes: 4_096, reports: .savesAndFailures)

  /// A copy of the factory presets, used if their folder is missing. A first start writes 600 kB of them.
  public static let factory = DocumentKind("factory", textBytes: Limits.presetBytes, reports: .nothing)

  /// The state of the whole instrument, restored at the next start: the text of `Session`, up to a line for each knob
  /// of each part and of its snapshots.
  public static let session = DocumentKind(
    "session", gatherSeconds: 1...5, textBytes: Limits.sessionTextBytes)

  /// The clients that receive feedback, restored at the next start; `Surface` writes and reads the text.
  public static let clients = DocumentKind("clients", textBytes: Limits.textBytes, reports: .nothing)

  /// The known sound cards, their levels and their settings; `ALSA` writes and reads the text. Moving the card's volume
  /// makes many changes.
  public static let cards = DocumentKind(
    "cards", gatherSeconds: 1...5, textBytes: Limits.textBytes, reports: .nothing)

  /// The known keyboards, their settings and bindings; `MIDI` writes and reads the text. It changes only when the player
  /// changes something or connects a new keyboard.
  public static let devices = DocumentKind(
    "devices", textBytes: Limits.devicesTextBytes, reports: .savesAndFailures)

  /// Setups: `SetupText` under bank and program, as the key of a slot. Earlier versions also hold edits that a recall
  /// of another setup has dropped.
  public static let setup = DocumentKind(
    "setup", earlierVersions: 8, textBytes: Limits.sessionTextBytes, reports: .savesAndFailures,
    keys: slots(0..<Slot.banks * Slot.programs))

  /// Setlists: `SetlistText` under a number from 1.
  public static let setlist = DocumentKind(
    "setlist", earlierVersions: 4, textBytes: Limits.textBytes, reports: .savesAndFailures,
    keys: .numbers(1...Limits.setlists))

  /// The keys of slots; new documents get those in `assigned`.
  private static func slots(_ assigned: Range<Int>) -> DocumentKeys {
    DocumentKeys(count: Slot.banks * Slot.programs, assigned: assigned) { number in
      Slot(number: number)?.key ?? ""
    } number: { key in
      Slot(key: key)?.number
    }
  }

  /// All kinds. Documents of other kinds, as of a newer pipit, are not touched.
  public static let all: [DocumentKind] = [
    .preset, .setup, .setlist, .mark, .factory, .session, .clients, .cards, .devices,
  ]

  /// The kinds that belong to the player, which a backup holds: all but copies, and the clients of this network.
  public static let ofPlayer: [DocumentKind] = all.filter { $0 != .factory && $0 != .clients }
}
