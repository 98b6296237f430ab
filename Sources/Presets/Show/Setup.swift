import Storage
import Synth
import Tuning

/// The state that one recall in a show sets: the whole sound, input and mixer strip of each part, the tempo, and the
/// master equalizer. It does not hold master level, concert pitch, click, card, devices, bindings, wheels and pedals.
public struct Setup: Sendable {
  /// The eight parts.
  public var parts: [SetupPart]
  /// The tempo, beats a minute.
  public var tempo: Float
  /// The master equalizer.
  public var equalizer: EqualizerKnobs
  /// The description.
  public var about = SetupAbout()

  /// The state of a scene, without presets and with equal temperament.
  public init(_ scene: Scene) {
    parts = (0..<Limits.parts).map { SetupPart(scene[$0]) }
    (tempo, equalizer) = (scene.master.tempo, scene.master.equalizer)
  }
}

/// A part in a setup.
public struct SetupPart: Sendable {
  /// The sound, in full: a later change of its preset does not change the setup.
  public var patch: Patch
  /// The settings of the morph: its two snapshots, its time and its quantization. The position is ignored.
  public var morph: MorphKnobs
  /// Its snapshots.
  public var snapshots = Snapshots()
  /// On, channel, level, pan and mute.
  public var strip: Strip
  /// Ranges, transposition, velocity curve and the controllers that it receives.
  public var input: PartInput
  /// The preset from which the sound came; nil without one.
  public var preset: PresetReference?
  /// The tuning.
  public var tuning = TuningChoice()

  /// The sound, strip and input of a part.
  public init(_ part: Part) {
    (patch, strip, input, morph) = (part.patch, part.strip, part.input, part.morph)
  }
}

/// A preset by its name and its slot.
public struct PresetReference: Sendable, Equatable {
  /// The slot; nil for a preset outside the banks.
  public var slot: Slot?
  /// The name.
  public var name: String

  /// A reference to the preset of a name in a slot.
  public init(slot: Slot?, name: String) { (self.slot, self.name) = (slot, name) }
}

extension Library {
  /// The preset of a reference: the one of its name in its slot, or else the one of its name. Nil if it is missing.
  public func preset(of reference: PresetReference) -> Preset? {
    if let preset = reference.slot.flatMap({ self[$0] }), preset.name == reference.name { return preset }
    return named(reference.name)
  }
}

/// The description of a setup, which overwriting does not change.
public struct SetupAbout: Sendable, Equatable {
  /// The category, any word; empty without one.
  public var category = ""
  /// Notes for the player, in one or several lines.
  public var notes = ""
  /// The parts of the state that a recall leaves alone.
  public var keep = RecallExclusions()

  /// An empty description.
  public init() {}
}

/// The parts of the state that the recall of a setup leaves alone.
public struct RecallExclusions: Sendable, Equatable, CustomStringConvertible {
  /// The tempo.
  public var tempo = false
  /// Level, pan and mute of all parts, and the master equalizer.
  public var mixer = false
  /// The tunings of all parts.
  public var tuning = false
  /// Parts 0…7 that are left alone as a whole.
  public var parts: Set<Int> = []

  /// Nothing.
  public init() {}

  /// The expected words.
  public static let expected = "tempo, mixer, tuning, part 1…\(Limits.parts), with commas between"

  /// Reads words as `tempo, mixer, part 3`; nil for any other word.
  public init?(_ words: some StringProtocol) {
    for word in words.split(separator: ",") {
      let word = word.split(separator: " ").joined(separator: " ")
      switch word {
      case "": break
      case "tempo": tempo = true
      case "mixer": mixer = true
      case "tuning": tuning = true
      default:
        guard word.hasPrefix("part "), let part = Int(word.dropFirst(5)), (1...Limits.parts).contains(part)
        else { return nil }
        parts.insert(part - 1)
      }
    }
  }

  /// The words, as `tempo, mixer, part 3`; empty for nothing.
  public var description: String {
    var words: [String] = []
    if tempo { words.append("tempo") }
    if mixer { words.append("mixer") }
    if tuning { words.append("tuning") }
    words += parts.sorted().map { "part \($0 + 1)" }
    return words.joined(separator: ", ")
  }
}
