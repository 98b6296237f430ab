import Parameters
import Presets
import Scenes
import Storage

/// Lets a player hear a preset that is not loaded: a short phrase on a part that is off, which then gets back what it
/// had. It belongs to the client that asked for it, and ends with it. Neither the session nor the history of the part
/// ever holds it. Control thread.
public final class PresetAudition: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let performance: Performance
  private var phrase: Phrase?

  /// A phrase that is played.
  private struct Phrase {
    let part: Int
    let source: Int
    let before: PartState
    /// Those that are still to come, in order.
    var strokes: [Stroke]
    /// The time from the beginning to the end of the tail, nanoseconds.
    let length: Int64
    /// CLOCK_MONOTONIC; nil before the first update.
    var begin: Int64?
    var down: Set<Int> = []
  }

  /// A press or a release of a key, in nanoseconds after the beginning.
  private struct Stroke {
    let at: Int64
    let key: Int
    let isPress: Bool
  }

  private static let millisecond: Int64 = 1_000_000
  /// The time for the recall before the phrase, and for the tail after it, milliseconds.
  private static let (before, after): (Int64, Int64) = (150, 900)
  private static let velocity: Float = 0.75

  init(_ writer: SceneWriter, _ presets: PartPresets, _ performance: Performance) {
    (self.writer, self.presets, self.performance) = (writer, presets, performance)
    let (onStep, beforeEdit) = (presets.onStep, writer.beforeEdit)
    presets.onStep = { [unowned self] part in
      onStep(part)
      end(part: part)
    }
    writer.beforeEdit = { [unowned self] part in
      beforeEdit(part)
      end(part: part)
    }
  }

  /// Plays a phrase with the preset that a person means by a name, on the highest part that is off and not in focus.
  /// It ends the phrase before, if there is one.
  /// - Parameters:
  ///   - source: The client, `Limits.surfaceSources` and up, with which it ends.
  ///   - now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func play(named name: String, source: Int, now: Int64) throws {
    if writer.isDuplicate("audition \(name)", now) { return }
    let preset = try presets.library.find(name)
    if phrase == nil, writer.link.meters[.voices] > 0 {
      throw DocumentError(description: "finds something that sounds: end it first, then listen")
    }
    end()
    let off = (0..<Limits.parts).last { $0 != writer.focus && writer[isOn($0)] < 0.5 }
    guard let part = off else {
      throw DocumentError(description: "finds all parts on: load the preset to hear it")
    }
    guard let sound = presets.library.sound(of: preset) else {
      throw DocumentError(description: "cannot read the preset \"\(preset.name)\"")
    }
    let before = presets.beginStep(part)
    presets.setSound(
      sound.patch, PresetOrigin(slot: preset.slot, name: preset.name, stored: sound.patch), part,
      snapshots: sound.snapshots)
    writer.set(isOn(part), to: 1)
    let strokes = PresetAudition.strokes(presets.library.about(preset).category)
    let length = (strokes.last?.at ?? 0) + PresetAudition.after * PresetAudition.millisecond
    phrase = Phrase(part: part, source: source, before: before, strokes: strokes, length: length)
  }

  /// Ends the phrase of a client.
  public func end(source: Int) { if phrase?.source == source { end() } }

  /// Ends the phrase on a part that another hand is about to use.
  public func end(part: Int) { if phrase?.part == part { end() } }

  /// Ends the phrase: the part gets back its sound, and is off.
  func end() {
    guard let phrase else { return }
    // Before the part is changed: a change ends a phrase.
    self.phrase = nil
    for key in phrase.down {
      performance.play(.noteOff, source: phrase.source, part: phrase.part, note: key)
    }
    writer.set(isOn(phrase.part), to: 0)
    presets.setSound(
      phrase.before.patch, phrase.before.origin, phrase.part, snapshots: phrase.before.snapshots)
    // The preset may have been saved or removed meanwhile.
    presets.readPreset(phrase.part)
  }

  /// Puts back what the part had into a session that is saved.
  func restore(in session: inout Session) {
    guard let phrase else { return }
    session.scene[phrase.part].patch = phrase.before.patch
    session.scene[phrase.part].strip.on = 0
    session.presets[phrase.part] = phrase.before.origin.isRemoved ? nil : phrase.before.origin.slot
    session.snapshots[phrase.part] = phrase.before.snapshots
  }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    guard var phrase else { return nil }
    let begin = phrase.begin ?? now
    phrase.begin = begin
    while let stroke = phrase.strokes.first, begin + stroke.at <= now {
      phrase.strokes.removeFirst()
      play(stroke, &phrase)
    }
    self.phrase = phrase
    let next = begin + (phrase.strokes.first?.at ?? phrase.length)
    if now < next { return next }
    end()
    return nil
  }

  private func play(_ stroke: Stroke, _ phrase: inout Phrase) {
    let (part, source) = (phrase.part, phrase.source)
    if stroke.isPress {
      phrase.down.insert(stroke.key)
      writer.publishBeforeKey()
      performance.play(
        .noteOn, source: source, part: part, note: stroke.key, value: PresetAudition.velocity)
    } else {
      phrase.down.remove(stroke.key)
      performance.play(.noteOff, source: source, part: part, note: stroke.key)
    }
  }

  /// A song or a device that is set up may take the part.
  func take(_ command: Event) { if command.kind == .setUp { end() } }

  private func isOn(_ part: Int) -> ParameterID { ParameterID(row: KeyRanges.isOn, part: part) }

  // MARK: - Phrases

  /// The notes of a phrase for a kind of sound: key, press and release in milliseconds.
  private static func notes(_ category: PresetCategory?) -> [(key: Int, from: Int64, to: Int64)] {
    switch category {
    case .basses: [(36, 0, 350), (36, 400, 550), (43, 600, 900), (41, 950, 1_500)]
    case .pads: [(48, 0, 2_400), (55, 60, 2_400), (64, 120, 2_400), (71, 180, 2_400)]
    case .plucks: [(60, 0, 200), (64, 180, 380), (67, 360, 560), (72, 540, 900), (67, 760, 1_000)]
    default: [(60, 0, 500), (64, 300, 800), (67, 600, 1_600), (72, 900, 1_600)]
    }
  }

  private static func strokes(_ category: PresetCategory?) -> [Stroke] {
    let notes = notes(category)
    let presses = notes.map { Stroke(at: (before + $0.from) * millisecond, key: $0.key, isPress: true) }
    let releases = notes.map { Stroke(at: (before + $0.to) * millisecond, key: $0.key, isPress: false) }
    return (presses + releases).sorted { $0.at < $1.at }
  }
}
