import Parameters
import Presets
import Storage
import Synth

/// The state that undo of a setup restores.
struct SetupState {
  /// Everything that a setup sets, as it is.
  let setup: Setup
  /// The presets of the parts.
  let origins: [PresetOrigin]
  /// The slot of the setup from which it came; nil without one.
  let slot: Slot?
  let tempoOfEntry: Float?
  let transposition: Int
}

extension Setups {
  /// Everything that a setup sets, as it is now, with the description of the current setup.
  var present: Setup {
    var setup = writer.stage.read { Setup($0.pointee) }
    for part in 0..<Limits.parts {
      setup.parts[part].tuning = tunings.choices[part]
      if let edited = presets.edited[part] { setup.parts[part].patch = edited }
      setup.parts[part].snapshots = presets.snapshots(part: part)
      setup.parts[part].preset = reference(to: presets.origins[part])
    }
    return setup
  }

  private static let tempoRow = KeyRanges.row("/tempo")

  private func reference(to origin: PresetOrigin) -> PresetReference? {
    // The initial sound belongs to no preset, whatever its name.
    let isInitial = origin.slot == nil && origin.stored.map { $0.isSame(as: .initial) } ?? false
    if origin.name.isEmpty || isInitial { return nil }
    return PresetReference(slot: origin.isRemoved ? nil : origin.slot, name: origin.name)
  }

  /// Puts what a song that plays will give back into a setup.
  func restoreBorrowed(in setup: inout Setup) {
    for (part, before) in presets.borrowedSounds {
      (setup.parts[part].patch, setup.parts[part].snapshots) = (before.patch, before.snapshots)
      setup.parts[part].preset = reference(to: before.origin)
    }
    // Beside the tempo, a song moves pans only.
    for (knob, value) in writer.stage.borrowedKnobs {
      if knob.row == Setups.tempoRow { setup.tempo = value } else { setup.parts[knob.part].strip.pan = value }
    }
  }

  /// The state, for undo.
  var state: SetupState {
    SetupState(
      setup: present, origins: presets.origins, slot: slot, tempoOfEntry: tempoOfEntry,
      transposition: writer.stage.transposition)
  }

  /// Whether everything that a recall would set is as in the current setup. True without a setup.
  var isAsStored: Bool {
    guard let slot, let stored = prepared(slot)?.setup else { return true }
    let keep = stored.about.keep
    let isSameTempo =
      keep.tempo || isClockFollowed
      || writer.stage.scene.master.tempo == tempoOfEntry ?? stored.tempo
    if !isSameTempo { return false }
    if !keep.mixer, !areSame(writer.stage.scene.master.equalizer, stored.equalizer) { return false }
    for part in 0..<Limits.parts where !keep.parts.contains(part) {
      if !isAsStored(part, stored.parts[part], keep) { return false }
    }
    return true
  }

  private func isAsStored(_ part: Int, _ stored: SetupPart, _ keep: RecallExclusions) -> Bool {
    if !keep.tuning, tunings.choices[part] != stored.tuning { return false }
    if presets.snapshots(part: part) != stored.snapshots { return false }
    let sound = presets.patch(part: part)
    return writer.stage.read { scene in
      let now = scene.part(part)
      var strip = stored.strip
      if keep.mixer {
        (strip.level, strip.pan, strip.mute) =
          (now.pointee.strip.level, now.pointee.strip.pan, now.pointee.strip.mute)
      }
      var morph = stored.morph
      morph.position = now.pointee.morph.position
      return areSame(now.pointee.morph, morph) && areSame(now.pointee.strip, strip)
        && areSame(now.pointee.input, stored.input.settled)
        && stored.has(sound)
    }
  }
}

extension SetupPart {
  /// Whether a sound is the part's, or that of one of its snapshots: to recall one is not an edit.
  func has(_ sound: Patch) -> Bool {
    sound.isSame(as: patch) || snapshots.filled.contains { snapshots[$0]?.patch.isSame(as: sound) ?? false }
  }
}

extension Setup {
  /// Whether both are bit-identical, except for the positions of the morphs, which do not belong to a setup.
  func isSame(as other: Setup) -> Bool {
    tempo == other.tempo && areSame(equalizer, other.equalizer)
      && zip(parts, other.parts).allSatisfy { $0.isSame(as: $1) }
  }
}

extension SetupPart {
  fileprivate func isSame(as other: SetupPart) -> Bool {
    var morph = morph
    morph.position = other.morph.position
    return patch.isSame(as: other.patch) && areSame(morph, other.morph) && areSame(strip, other.strip)
      && areSame(input, other.input) && preset == other.preset && tuning == other.tuning
      && snapshots == other.snapshots
  }
}
