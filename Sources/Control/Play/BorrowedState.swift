import Parameters
import Presets
import Synth

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

extension PartPresets {
  // All programs of a song are one step of a part's history.
  private static let action = "programs of a song"

  /// Gives a part the sound of a program of a song.
  func borrow(_ part: Int, for preset: Preset) {
    guard let (sound, origin) = read(preset) else { return }
    let now = beginStep(part)
    setSound(sound.patch, origin, part, snapshots: sound.snapshots)
    let song = state(part)
    borrowed[part] = BorrowedSound(before: borrowed[part]?.before ?? now, song: song)
    settled[part] = song
    let last = histories[part].takeLast { $0.action == PartPresets.action && $0.after == now }
    histories[part].add(.init(action: PartPresets.action, before: last?.before ?? now, after: song))
  }

  /// The parts that sound as the song has left them and not as before, with what they had before.
  var borrowedSounds: [(part: Int, before: PartState)] {
    borrowed.indices.compactMap { part in
      guard let sound = borrowed[part], sound.before != sound.song,
        patch(part: part).isSame(as: sound.song.patch), snapshots(part: part) == sound.song.snapshots
      else { return nil }
      return (part, sound.before)
    }
  }

  /// Gives a part back what it had before a song, as a step of its history.
  func giveBack(_ before: PartState, _ part: Int, _ action: String) {
    recall(PartSound(patch: before.patch, snapshots: before.snapshots), before.origin, part, action)
    // The preset may have been saved or removed meanwhile.
    readPreset(part)
  }
}
