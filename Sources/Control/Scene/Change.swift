import Parameters

/// A change of the instrument. Listeners are told after it has happened, and read the rest from the instrument.
public enum Change: Hashable, Sendable {
  /// One knob has another value.
  case knob(ParameterID)
  /// A part has another sound: any of its knobs may have changed.
  case sound(part: Int)
  /// The preset of a part has another name, slot or edited mark.
  case preset(part: Int)
  /// Bare addresses mean another part.
  case focus
  /// Surfaces show another notice.
  case notice
  /// The health that surfaces show has changed.
  case health
  /// The output meters have moved.
  case levels
  /// Surfaces show another page of presets, or the presets on it have changed.
  case page
  /// The sound card or its volume has changed.
  case card
  /// A recording has begun, advanced or ended.
  case recording
  /// The song or its position has changed.
  case song
  /// Parts have other tunings.
  case tuning
  /// A part's key or velocity range, its keyboard sharing, or the state of key learn has changed.
  case keyboard
  /// The state of controller learn has changed.
  case learning
  /// The known keyboards, or their settings, have changed.
  case devices

  /// Whether the scene must be published: audio renders it differently from now on.
  var altersScene: Bool {
    switch self {
    case .knob, .sound, .tuning: true
    case .preset, .focus, .notice, .health, .levels, .page, .card, .recording, .song, .keyboard, .learning,
      .devices:
      false
    }
  }

  /// Whether the session must be saved: the next start restores what has changed.
  var altersSession: Bool {
    switch self {
    case .knob, .sound, .tuning, .preset, .focus: true
    case .notice, .health, .levels, .page, .card, .recording, .song, .keyboard, .learning, .devices: false
    }
  }
}
