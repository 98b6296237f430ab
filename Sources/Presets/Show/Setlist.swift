import Storage

/// The order of a show: a list of setups and presets, with the settings that each entry adds.
public struct Setlist: Sendable, Equatable {
  /// The entries in order, `Limits.setlistEntries` at most.
  public var entries: [SetlistEntry] = []
  /// Notes about the whole list.
  public var notes = ""

  /// An empty list.
  public init() {}
}

/// An entry of a setlist.
public struct SetlistEntry: Sendable, Equatable {
  /// The document that it recalls.
  public enum Content: Sendable, Equatable {
    /// A setup by its slot and its name.
    case setup(PresetReference)
    /// A preset, in the part in focus.
    case preset(PresetReference)

    /// The slot and the name.
    public var reference: PresetReference {
      switch self {
      case .setup(let reference), .preset(let reference): reference
      }
    }
  }

  /// The setup or preset.
  public var content: Content
  /// The title; empty to show the name.
  public var title = ""
  /// The transposition of keys struck from then on, -12…12 semitones; drum parts are not transposed.
  public var transpose = 0
  /// The tempo instead of the setup's, beats a minute; nil for the setup's.
  public var tempo: Float?
  /// The snapshot with which it starts, A to H; nil without one.
  public var snapshot: Character?
  /// Notes for the player.
  public var notes = ""
  /// The colour, a word; empty without one.
  public var color = ""
  /// Whether next and previous pass it over.
  public var isSkipped = false

  /// An entry that adds nothing.
  public init(_ content: Content) { self.content = content }

  /// The title, or else the name of the setup or preset.
  public var shownTitle: String { title.isEmpty ? content.reference.name : title }
}
