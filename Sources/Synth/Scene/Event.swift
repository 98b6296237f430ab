/// What a player does, stamped with the frame it is to be heard at. Fixed size, no references.
public struct Event: Sendable {
  /// What happened. Those from `controller` on are for the control thread; the engine ignores them.
  public enum Kind: UInt8, Sendable {
    /// `value` is the velocity, 0…1; 0 is a note off.
    case noteOn
    /// `value` is how fast the key was let go, 0…1.
    case noteOff
    /// `value` -1…1.
    case bend
    /// `value` 0…1.
    case wheel
    /// `value` 0…1: channel pressure.
    case pressure
    /// `value` 0…1: the pressure on the key of a held note.
    case keyPressure
    /// `value` 0…1: how bright it is, as controller 74 or a finger has it.
    case timbre
    /// `value` 0…1.
    case breath
    /// `value` 0…1: 40 · log10 of it are decibels.
    case expression
    /// `value` 0…1, as expression: the volume of a channel, beside the fader of its parts, which 1 leaves as it is.
    case volume
    /// `value` -1…1: how much of the right side, or of the left one, the parts that hear it lose.
    case balance
    /// `value` of a half or more holds.
    case sustain
    /// The same, by another pedal.
    case sustain2
    /// `value` of a half or more holds the keys that are down at that moment.
    case sostenuto
    /// `value` 0…1: how much softer the next notes are.
    case soft
    /// `value` of a half or more: the parts that hear it play legato with one voice while it is down.
    case legato
    /// `value` of a half or more: the next notes glide, for the time of `glideTime` if that has come, else of the sound.
    /// Below a half they do not glide. Before the first of these they glide as the sound has it.
    case glide
    /// `value` seconds: how long notes glide that `glide` or `glideFrom` lets glide, whatever the sound has. 0 is no glide.
    case glideTime
    /// The next note glides from the key `note`.
    case glideFrom
    /// How far the wheel of this source and target bends, `value` semitones; below 0 as far as each patch has it.
    case bendRange
    /// The notes of this source and target lie `value` semitones from their keys.
    case tuning
    /// Channel 0 or 15 of the source manages an MPE zone of `note` members, 0…15, from now on; with 0 no more. `value`
    /// above 0: the player wants it so, whatever the device has said or will say, with members that bend so many
    /// semitones at first.
    case mpeZone
    /// One voice plays the parts that hear it, until their mode is turned to another; their notes end.
    case mono
    /// The same with many voices.
    case poly
    /// Every key of this source and target comes up: what a pedal holds goes on.
    case allNotesOff
    /// Fades the notes of this source and target at once.
    case allSoundOff
    /// Wheels, pressure, pedals and the like of this source and target to rest; not what is set rather than held, as the
    /// range of the bend.
    case resetControllers
    /// The source is gone: its notes end and its controllers rest, whatever the target. The control thread is told too.
    case sourceGone
    /// The source begins anew, as General MIDI has it: as when it has gone, and then the volumes of its channels are
    /// `value`, 0…1. Its programs are General MIDI's from then on, and its channel 10 plays drums, where `note` is 1, until
    /// it is set up anew or gone. The control thread is told too.
    case setUp
    /// How loud all that a source plays is, `value` 0…1 as expression.
    case masterVolume
    /// All notes of a source lie `value` semitones from their keys.
    case masterTuning
    /// The key `note` sounds `value` semitones from equal temperament, on all channels of the source.
    case keyTuning
    /// The tone `note` of the octave, 0 for C, does so on this channel.
    case scaleTuning
    /// The channel `target` of this source is heard by the parts of `value`, a bit each, whatever they answer to; below 0
    /// by those that answer to it. Neither its end nor a panic undoes that.
    case route
    /// Everything of every source ends at once.
    case panic
    /// Moves the pitch of a held note to `value` semitones from its key: a finger that slides.
    case notePitch
    /// How loud a held note is, `value` 0…1 of what its velocity gave it.
    case noteGain
    /// Bends the notes of a key of this source and target that sound and those to come, `value` -1…1, until
    /// `keyManagement` says otherwise. So do the others of a key.
    case keyBend
    /// How far that reaches on this channel, `value` semitones.
    case keyBendRange
    /// They lie `value` semitones from their key.
    case keyPitch
    /// `value` 0…1.
    case keyWheel
    /// `value` 0…1.
    case keyBreath
    /// `value` 0…1.
    case keyTimbre
    /// `value` 0…1, as expression.
    case keyVolume
    /// `value` 0…1.
    case keyExpression
    /// `value` 1: what was moved of the key rests. 2: the notes that sound hear no more of it. 3: the second, then the
    /// first.
    case keyManagement
    /// The next stroke of the key `note` lies `value` semitones from it, whatever it has been moved.
    case strokePitch
    /// A MIDI controller that is a knob: `note` is its number, `value` 0…1.
    case controller
    /// A program change: `note` is the program, `value` the bank.
    case program
    /// A clock that is followed ticks `value` quarter notes a minute.
    case tempo
    /// The song starts, goes on or stops: `note` is a `SongCommand`.
    case songCommand
    /// The song goes to a place, `value` sixteenths from its beginning.
    case songPosition

    /// True for what the control thread does alone, a knob or a program change.
    public var isForControl: Bool { rawValue >= Kind.controller.rawValue }
    /// True for what both do: the engine first.
    public var isForBoth: Bool { self == .sourceGone || self == .setUp }
  }

  /// The engine's frame at which it happens; one in the past happens at once.
  public var frame: Int64
  /// What happened.
  public var kind: Kind
  /// Whose hand: 0..<`Limits.sources`.
  public var source: UInt8
  /// Where it goes: a MIDI channel 0…15, or `Event.part(n)`.
  public var target: UInt8
  /// Note, controller or program number, 0…127.
  public var note: UInt8
  /// As the kind says.
  public var value: Float

  /// An event. Numbers out of range are brought inside where the engine takes them in.
  @_noLocks
  public init(
    frame: Int64, kind: Kind, source: UInt8 = 0, target: UInt8 = 0, note: UInt8 = 0, value: Float = 0
  ) {
    self.frame = frame
    self.kind = kind
    self.source = source
    self.target = target
    self.note = note
    self.value = value
  }

  /// A source begins anew as General MIDI has it, with all volumes at 100 of 127.
  @_noLocks
  public static func generalMIDI(source: UInt8 = 0, frame: Int64 = 0) -> Event {
    Event(frame: frame, kind: .setUp, source: source, note: 1, value: 100.0 / 127)
  }

  /// Of controller 74, which is a knob, what it is to the engine besides: timbre. Nil for any other.
  public var timbre: Event? {
    guard kind == .controller, note == 74 else { return nil }
    return Event(frame: frame, kind: .timbre, source: source, target: target, value: value)
  }

  /// The target that is part 0…7 itself, whatever its MIDI channel.
  public static func part(_ index: Int) -> UInt8 {
    UInt8(Limits.channels + max(0, min(index, Limits.parts - 1)))
  }
}
