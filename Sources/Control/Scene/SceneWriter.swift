import Parameters
import Presets
import Scenes
import Synth
import Tuning

/// The only writer of the staged scene: edits it, publishes it to audio, and tells features and listeners about each
/// change. All features of the instrument share it. Control thread only.
final class SceneWriter {
  /// The cells shared with the audio thread.
  let link: Link
  /// The names of the player's wavetables, whose numbers the scene holds.
  let names: NameRegister
  /// The scene that will be published next.
  var stage = Stage()
  /// Called for each change after the listeners, in this order. Set once.
  var features: [any Feature] = []
  /// Called before a knob or a step of a part's sound is set.
  var beforeEdit: (_ part: Int) -> Void = { _ in }
  private var listeners: [(Change) -> Void] = []
  // True if the scene has changed since it was last published.
  private(set) var isDirty = true
  private var publishedAt = Int64.min / 2
  /// The reasons to wait for keys; the MIDI thread passes keys on while it is not empty.
  var keyUses: Set<KeyUse> = [] {
    didSet { link.keyWatch.isOn = !keyUses.isEmpty }
  }
  /// The keys that are down. They are tracked only while a recall may wait for the release of the last one.
  var heldKeys = PressedKeys()
  /// The MIDI channel, 0…15, whose program changes recall setups, and no presets; nil for none.
  var setupChannel: Int?
  // The times of the recent requests, by name.
  private var requests: [String: Int64] = [:]

  /// The shortest time between two published scenes, nanoseconds: about a block of audio.
  static let publishInterval: Int64 = 2_000_000
  /// The number of retired scenes that may wait when another is published before a key.
  static let retiredBeforeKey = 8
  /// How often retired scenes are freed while any wait, nanoseconds.
  static let serviceInterval: Int64 = 10_000_000
  /// An equal request within this time is a packet that the network has duplicated, nanoseconds.
  static let duplicateInterval: Int64 = 250_000_000
  /// The same for a button that players press in quick succession, nanoseconds: no finger presses twice within it.
  static let pressInterval: Int64 = 60_000_000

  /// The reasons to wait for keys.
  enum KeyUse {
    case learning
    case recording
    case deferring
  }

  init(link: Link, names: NameRegister) { (self.link, self.names) = (link, names) }

  /// The kind of a row of the table, with the names that this instrument has learned.
  func kind(row: Int) -> Kind { Table.rows[row].kind.knowing(names) }

  /// Calls `listener` after each change.
  func listen(_ listener: @escaping (Change) -> Void) { listeners.append(listener) }

  /// Announces a change that has been made.
  func changed(_ change: Change) {
    if change.altersScene { isDirty = true }
    for listener in listeners { listener(change) }
    for feature in features { feature.follow(change) }
  }

  /// Publishes the scene again soon: a controller offset has changed, which does not change the instrument's state.
  func publishSoon() { isDirty = true }

  /// Sets a knob in the unit of the scene, clamped to its range; NaN is ignored.
  func set(_ knob: ParameterID, to value: Float) {
    if knob.isOfSound { beforeEdit(knob.part) }
    let before = self[knob]
    stage.scene[knob] = value
    if self[knob] != before { changed(.knob(knob)) }
  }

  /// A step of a part's sequence, 0..<64. Read in place.
  func step(_ step: Int, of part: Int) -> SequenceStep {
    stage.read { $0.part(part).pointee.patch.sequence[step] }
  }

  /// Sets a step of a part's sequence, 0..<64.
  func set(step: Int, of part: Int, to value: SequenceStep) {
    beforeEdit(part)
    if self.step(step, of: part) == value { return }
    stage.scene[part].patch.sequence[step] = value
    changed(.sequence(part: part))
  }

  /// The value of a knob, in the unit of the scene. Read in place: a scene is several kilobytes.
  subscript(knob: ParameterID) -> Float { stage.read { $0[knob] } }

  /// The part in focus, 0…7, to which addresses without a part refer.
  var focus: Int {
    get { stage.focus }
    set {
      let before = stage.focus
      stage.focus = newValue
      if stage.focus != before { changed(.focus) }
    }
  }

  /// Whether an equal request, which must be carried out only once, was made less than `time` ago, nanoseconds,
  /// `duplicateInterval` at most.
  func isDuplicate(
    _ request: String, _ now: Int64, within time: Int64 = SceneWriter.duplicateInterval
  ) -> Bool {
    requests = requests.filter { now - $0.value < SceneWriter.duplicateInterval }
    return requests.updateValue(now, forKey: request).map { now - $0 < time } ?? false
  }

  /// Whether `publishInterval` has passed since the scene was last published.
  func mayPublish(_ now: Int64) -> Bool { now - publishedAt >= SceneWriter.publishInterval }

  /// Publishes a changed scene at once, because the key that follows is to play it. While many retired scenes wait
  /// for the audio thread, as in a flood, the scene waits for `publish`.
  func publishBeforeKey() {
    guard isDirty, link.scene.retiredCount < SceneWriter.retiredBeforeKey else { return }
    isDirty = false
    stage.publish(to: link.scene)
  }

  /// Publishes the scene if it has changed and `publishInterval` has passed, and frees retired scenes.
  /// - Returns: The time of the next call; nil if nothing waits.
  func publish(_ now: Int64) -> Int64? {
    if isDirty, mayPublish(now) {
      isDirty = false
      publishedAt = now
      stage.publish(to: link.scene)
    } else {
      link.scene.service()
    }
    if isDirty { return publishedAt + SceneWriter.publishInterval }
    return link.scene.retiredCount > 0 ? now + SceneWriter.serviceInterval : nil
  }
}

/// The keys of keyboards and surfaces that are down, for a recall that waits until the last one is released. A value
/// type that reads no clock.
struct PressedKeys {
  private struct Key: Hashable {
    let source, channel, note: UInt8
  }
  private var keys: Set<Key> = []

  var isEmpty: Bool { keys.isEmpty }

  /// Forgets all keys.
  mutating func removeAll() { keys = [] }

  /// Updates the keys after an event of a keyboard or a surface.
  mutating func take(_ event: Event) {
    let key = Key(source: event.source, channel: event.target, note: event.note)
    switch event.kind {
    case .noteOn: if event.value > 0 { keys.insert(key) } else { keys.remove(key) }
    case .noteOff: keys.remove(key)
    case .allNotesOff, .allSoundOff:
      keys = keys.filter { $0.source != event.source || $0.channel != event.target }
    case .sourceGone, .setUp: keys = keys.filter { $0.source != event.source }
    default: break
    }
  }
}
