import Presets
import Storage
import Synth

// Compare: the stored sound of a part's preset plays in the place of the edited one, for a while. It is not a step of
// the history, and the session keeps the edited sound.

extension PartPresets {
  /// Whether the stored sound plays in the place of the edited one.
  public func isComparing(part: Int) -> Bool { edited[part] != nil }

  /// Plays the stored sound of a part, or the edited one again. Any edit, recall or save returns to the edited one first.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func compare(part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("compare \(part)", now, within: SceneWriter.pressInterval) { return }
    if endComparing(part) { return }
    guard let stored = origins[part].stored else {
      throw DocumentError(description: "finds no stored sound to compare with")
    }
    onStep(part)
    let sound = writer.stage.scene[part].patch
    if sound.isSame(as: stored) {
      throw DocumentError(description: "finds nothing to compare: the sound is as stored")
    }
    edited[part] = sound
    play(stored, part)
  }

  /// Returns to the edited sound. False if the stored one was not being compared.
  @discardableResult
  public func endComparing(_ part: Int) -> Bool {
    guard let sound = edited[part] else { return false }
    edited[part] = nil
    play(sound, part)
    return true
  }

  /// Ends everything that changes the sounds of parts for a while: comparing, and the recording of a sequence.
  func settleAll() {
    for part in edited.indices {
      onStep(part)
      endComparing(part)
    }
  }

  private func play(_ sound: Patch, _ part: Int) {
    isSwitchingComparison = true
    defer { isSwitchingComparison = false }
    writer.stage.recall(sound, part: part)
    writer.changed(.sound(part: part))
    writer.changed(.preset(part: part))
  }

  /// Puts the edited sounds into a scene that is saved.
  func restoreEdited(in scene: inout Scene) {
    for part in edited.indices {
      if let sound = edited[part] { scene[part].patch = sound }
    }
  }
}
