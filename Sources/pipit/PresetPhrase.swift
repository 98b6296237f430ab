import Presets
import Song

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
