import Parameters
import Presets
import Scenes

/// What a song that plays has borrowed from the player: the sounds and pans of parts, and the tempo. When the song ends
/// or is stopped, all of it is given back as one step of undo, except for what a hand has changed since. Until then
/// the session holds what will be given back. Control thread.
public final class BorrowedState {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let setups: Setups
  private var isBorrowing = false

  init(_ writer: SceneWriter, _ presets: PartPresets, _ setups: Setups) {
    (self.writer, self.presets, self.setups) = (writer, presets, setups)
  }

  /// A song begins, or continues at another place.
  public func begin() {
    if isBorrowing { return }
    isBorrowing = true
    setups.settleEdits()
  }

  /// Gives back what the song `name` has borrowed.
  public func end(song name: String) {
    if !isBorrowing { return }
    isBorrowing = false
    let (sounds, borrowed) = (presets.borrowedSounds, writer.stage.borrowedKnobs)
    let knobs = borrowed.filter { writer[$0.knob] != $0.value }
    if !sounds.isEmpty || !knobs.isEmpty {
      let action = "end of song \"\(name)\""
      setups.addStep(action) {
        for (part, before) in sounds { presets.giveBack(before, part, action) }
        for (knob, value) in knobs { writer.set(knob, to: value) }
      }
    }
    for part in presets.borrowed.indices { presets.borrowed[part] = nil }
    (writer.stage.borrowed, writer.stage.borrowedTempo) = (BorrowedKnobs(), BorrowedKnobs())
  }

  /// Puts what will be given back into a session that is saved.
  func restore(in session: inout Session) {
    if !isBorrowing { return }
    for (part, before) in presets.borrowedSounds {
      session.scene[part].patch = before.patch
      session.presets[part] = before.origin.isRemoved ? nil : before.origin.slot
      session.snapshots[part] = before.snapshots
    }
    for (knob, value) in writer.stage.borrowedKnobs { session.scene[knob] = value }
  }
}

/// A sound that a song has given a part.
struct BorrowedSound {
  /// What the part had before the song.
  var before: PartState
  /// What the song has given it.
  let song: PartState
}

/// The knobs that a song has moved, such as pan and tempo. They are restored when the song ends, unless a hand has moved
/// them since.
struct BorrowedKnobs {
  private var knobs: [ParameterID: (before: Float, set: Float)] = [:]

  /// Notes that the song moves a knob from a value to another. A value that is not the song's last is a hand's.
  mutating func note(_ knob: ParameterID, from before: Float, to value: Float) {
    let known = knobs[knob]
    knobs[knob] = (known.map { $0.set == before ? $0.before : before } ?? before, value)
  }

  /// Those that are still where the song has moved them, with their values before.
  func returned(_ current: (ParameterID) -> Float) -> [(knob: ParameterID, value: Float)] {
    knobs.filter { current($0.key) == $0.value.set }.map { ($0.key, $0.value.before) }
  }
}

extension Stage {
  /// Notes the knobs that a controller of a song sets, to restore them by `endBorrowing`. Returns them with their new
  /// values.
  public mutating func borrow(controller: Int, normalized: Float, channel: Int, source: UInt8? = nil) -> [(
    knob: ParameterID, value: Float
  )] {
    let moved = knobs(controller: controller, normalized: normalized, channel: channel, source: source)
    for (knob, value) in moved { borrowed.note(knob, from: read { $0[knob] }, to: value) }
    return moved
  }

  /// Forgets the knobs that controllers of the song have moved. Returns those to restore, with the values that they had
  /// before.
  public mutating func endBorrowing() -> [(knob: ParameterID, value: Float)] {
    defer { borrowed = BorrowedKnobs() }
    return returned(borrowed)
  }

  /// The knobs that are still where the song has moved them, with the values that they had before.
  var borrowedKnobs: [(knob: ParameterID, value: Float)] { returned(borrowed) + returned(borrowedTempo) }

  private func returned(_ borrowed: BorrowedKnobs) -> [(knob: ParameterID, value: Float)] {
    borrowed.returned { knob in read { $0[knob] } }
  }
}
