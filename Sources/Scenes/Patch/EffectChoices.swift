// The choices among the effects' parameters, in the order of their values.

/// The curve of a drive.
public enum DriveShape: Int, CaseIterable, Sendable {
  case soft, asymmetric, hard, fold, power

  /// The shape for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> DriveShape {
    choice < 0.5 ? .soft : choice < 1.5 ? .asymmetric : choice < 2.5 ? .hard : choice < 3.5 ? .fold : .power
  }
}

/// The sidechain of a compressor: the sound itself, the beat with the length of a note, or one of the parts.
public enum CompressorSource {
  /// The names of the choices.
  public static let names =
    ["self"] + ["1/16", "1/8t", "1/8", "1/8d", "1/4", "1/2", "1/1"].map { "beat-\($0)" }
    + (1...Limits.parts).map { "part-\($0)" }

  /// The value of the knob for the first part.
  public static var firstPart: Int { @_noLocks @inlinable get { 8 } }

  /// Length of the ducking in beats; 0 if the sidechain is not the beat.
  @_noLocks @inlinable
  public static func beats(_ choice: Int) -> Double {
    switch choice {
    case 1: 0.25
    case 2: 1.0 / 3
    case 3: 0.5
    case 4: 0.75
    case 5: 1
    case 6: 2
    case 7: 4
    default: 0
    }
  }
}

/// The modulation of a chorus.
public enum ChorusMode: String, CaseIterable, Sendable {
  /// One button of the Juno's chorus, the other, and both pressed.
  case one = "i"
  case two = "ii"
  case both = "i+ii"
  /// Three delay lines, a third of a period apart.
  case ensemble

  /// The mode for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> ChorusMode {
    choice < 0.5 ? .one : choice < 1.5 ? .two : choice < 2.5 ? .both : .ensemble
  }
}

/// The speed of a rotary speaker's rotors.
public enum RotarySpeed: Int, CaseIterable, Sendable {
  case stop, slow, fast

  /// The speed for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> RotarySpeed {
    choice < 0.5 ? .stop : choice < 1.5 ? .slow : .fast
  }
}

/// The ratio of a delay's right time to its left time.
public enum DelayRatio: String, CaseIterable, Sendable {
  case same = "1/1"
  case threeQuarters = "3/4"
  case twoThirds = "2/3"
  case half = "1/2"

  /// The factor for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> Float {
    choice < 0.5 ? 1 : choice < 1.5 ? 0.75 : choice < 2.5 ? 0.66666667 : 0.5
  }
}

/// How echoes behave when the time of a delay changes.
public enum DelayChange: Int, CaseIterable, Sendable {
  /// Their pitch bends, as on a tape whose speed changes.
  case tape
  /// They cross-fade to the echoes of the new time.
  case fade

  /// The behaviour for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> DelayChange { choice < 0.5 ? .tape : .fade }
}

/// The order of the effects in the signal path.
public enum EffectOrder: String, CaseIterable, Sendable {
  /// Drive, equalizer, compressor, phaser, flanger, chorus, rotary speaker, delay, reverb.
  case standard
  /// Phaser, flanger and chorus before the drive, as pedals before an amplifier.
  case modulationFirst = "modulation-first"
  /// The delay before phaser, flanger, chorus and rotary speaker: they move the echoes, too.
  case delayFirst = "delay-first"
  /// Delay and reverb before all others: the drive distorts the tail.
  case reverbFirst = "reverb-first"
  /// Drive, equalizer and compressor after all others.
  case driveLast = "drive-last"
  /// The compressor after all others: it ducks the tail, too.
  case compressorLast = "compressor-last"

  /// The order for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> EffectOrder {
    if choice < 2.5 { return choice < 0.5 ? .standard : choice < 1.5 ? .modulationFirst : .delayFirst }
    return choice < 3.5 ? .reverbFirst : choice < 4.5 ? .driveLast : .compressorLast
  }
}
