import Parameters
import Scenes

/// A feature of the instrument: it owns one part of the instrument's state and acts on it. `Instrument` lists its
/// features. All functions are called on the control thread.
protocol Feature: AnyObject {
  /// Called before the scene is published.
  /// - Parameter now: CLOCK_MONOTONIC, nanoseconds.
  /// - Returns: The time of the next call at the latest; nil if nothing is due.
  func update(_ now: Int64) -> Int64?

  /// Reacts to a change made by this or another feature.
  func follow(_ change: Change)

  /// Carries out a command from the MIDI thread or from a song.
  func take(_ command: Event)
}

extension Feature {
  func update(_ now: Int64) -> Int64? { nil }
  func follow(_ change: Change) {}
  func take(_ command: Event) {}
}

/// A change of the instrument. Listeners are called after the change, and read the details from the instrument.
public enum Change: Hashable, Sendable {
  /// A knob has a new value.
  case knob(ParameterID)
  /// A part has a new sound: any of its knobs may have changed.
  case sound(part: Int)
  /// Steps of the sequence of a part have changed.
  case sequence(part: Int)
  /// The preset of a part has a new name, slot or edited mark.
  case preset(part: Int)
  /// The snapshots of a part, which of them is current, or the state of its morph has changed.
  case snapshots(part: Int)
  /// The part in focus has changed.
  case focus
  /// The notice that surfaces show has changed.
  case notice
  /// The health that surfaces show has changed.
  case health
  /// The output meters have changed.
  case levels
  /// The page of presets that surfaces show has changed, or the presets on it.
  case page
  /// The sound card or its volume has changed.
  case card
  /// A recording has begun, advanced or ended.
  case recording
  /// The song or its position has changed.
  case song
  /// The tunings of parts have changed.
  case tuning
  /// A part's key or velocity range, its keyboard sharing, or the state of key learn has changed.
  case keyboard
  /// The state of controller learn has changed.
  case learning
  /// The choice of knobs that random sounds move has changed.
  case random
  /// The beat, or whether the transport runs, has changed.
  case beat
  /// The lock of the surfaces has changed.
  case lock
  /// The known keyboards, or their settings, have changed.
  case devices
  /// The setup, the setlist or the position in it, or the documents of either, have changed.
  case show

  /// Whether the scene must be published, because audio must render it differently.
  var altersScene: Bool {
    switch self {
    case .knob, .sound, .sequence, .tuning: true
    case .preset, .focus, .notice, .health, .levels, .page, .card, .recording, .song, .keyboard, .learning,
      .devices, .beat, .random, .lock, .show, .snapshots:
      false
    }
  }

  /// Whether the session must be saved, so that the next start restores the change.
  var altersSession: Bool {
    switch self {
    case .knob, .sound, .sequence, .tuning, .preset, .focus, .show, .snapshots: true
    case .notice, .health, .levels, .page, .card, .recording, .song, .keyboard, .learning, .devices, .beat,
      .random, .lock:
      false
    }
  }
}
