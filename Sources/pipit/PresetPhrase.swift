import Presets
import Song

extension PresetText.Reading {
  /// A phrase that suits the sound: held keys for a sequence or an arpeggiator, single keys for a chord memory, or
  /// else the phrase of its description.
  var phrase: Phrase {
    let isLow = about.category == .basses
    if patch.sequence.mode >= 0.5 { return isLow ? .lowSteps : .steps }
    if patch.arp.on >= 0.5 { return isLow ? .lowSteps : .arpeggios }
    if patch.chord.on >= 0.5 { return .stabs }
    return about.phrase
  }
}

extension PresetAbout {
  /// A phrase that suits the sound: that of its category, or of drums if a tag says so.
  var phrase: Phrase {
    if tags.contains("drum") { return .drums }
    switch category {
    case .basses: return .basses
    case .leads: return .leads
    case .pads: return .pads
    case .keys, nil: return .keys
    case .plucks: return .plucks
    case .organs: return .organs
    case .strings: return .strings
    case .motion: return .motion
    }
  }
}
