/// An action of a player, stamped with the frame at which it takes effect. Fixed size, no references.
public struct Event: Sendable {
  /// The kind of event. Events from `controller` on are for the control thread; the engine ignores them.
  public enum Kind: UInt8, Sendable {
    /// `value` is the velocity, 0…1; a velocity of 0 is a note off.
    case noteOn
    /// `value` is the release velocity, 0…1.
    case noteOff
    /// `value` -1…1: the pitch wheel.
    case bend
    /// `value` 0…1: the modulation wheel.
    case wheel
    /// `value` 0…1: channel pressure.
    case pressure
    /// `value` 0…1: polyphonic pressure, on the key of a held note.
    case keyPressure
    /// `value` 0…1: brightness, as from controller 74 or an MPE finger.
    case timbre
    /// `value` 0…1: the breath controller.
    case breath
    /// `value` 0…1: an assignable controller, which is the modulation source number `note` (`ModulationSource.assignable`).
    case assignable
    /// `value` 0…1: a gain of 40 · log10(`value`) decibels.
    case expression
    /// `value` 0…1, scaled as `expression`: the volume of a channel. It acts in addition to the fader of the part; 1
    /// changes nothing.
    case volume
    /// `value` -1…1: attenuation of the left side (above 0) or of the right side, in the parts that receive the
    /// channel.
    case balance
    /// `value` of a half or more is a pressed pedal.
    case sustain
    /// A second sustain pedal; `value` of a half or more is a pressed pedal.
    case sustain2
    /// `value` of a half or more holds the keys that are pressed at that moment.
    case sostenuto
    /// `value` 0…1: how much softer the next notes are.
    case soft
    /// `value` of a half or more: the parts that receive it play mono legato while the pedal is pressed.
    case legato
    /// `value` of a half or more: the next notes glide, with the time of `glideTime` if one has been received, else
    /// with that of the sound. Below a half they do not glide. Before the first such event, the sound decides whether
    /// notes glide.
    case glide
    /// `value` in seconds: the time of glides that `glide` or `glideFrom` causes, instead of the sound's. 0 is no
    /// glide.
    case glideTime
    /// The next note glides from the key `note`.
    case glideFrom
    /// Bend range of this source and target in semitones, `value`; below 0 the range of each patch applies.
    case bendRange
    /// Tunes the notes of this source and target to `value` semitones from their keys.
    case tuning
    /// Makes channel 0 or 15 of the source the manager of an MPE zone with `note` member channels, 0…15; 0 ends the
    /// zone. A `value` above 0 means that the player sets the zone: it overrides all zones that the device announces,
    /// and `value` is the members' initial bend range in semitones.
    case mpeZone
    /// Switches the parts that receive it to mono until their mode is changed; their notes end.
    case mono
    /// Switches the parts that receive it to poly until their mode is changed; their notes end.
    case poly
    /// Releases all keys of this source and target; notes that a pedal holds continue.
    case allNotesOff
    /// Fades the notes of this source and target at once.
    case allSoundOff
    /// Resets wheels, pressure, pedals and the like of this source and target; settings such as the bend range stay.
    case resetControllers
    /// The source disappears: its notes end and its controllers are reset, on all targets. The control thread also
    /// receives it.
    case sourceGone
    /// Resets the source as General MIDI defines: its notes end, its controllers are reset, and its channels get the
    /// volume `value`, 0…1. If `note` is 1, its programs are those of General MIDI and its channel 10 plays drums,
    /// until the next reset or the end of the source. The control thread also receives it.
    case setUp
    /// Volume of the whole source: `value` 0…1, scaled as `expression`.
    case masterVolume
    /// Tunes all notes of a source to `value` semitones from their keys.
    case masterTuning
    /// Balance of the whole source, `value` as that of `balance`.
    case masterBalance
    /// Tunes the key `note` to `value` semitones from equal temperament, on all channels of the source.
    case keyTuning
    /// Tunes the pitch class `note`, 0 for C, to `value` semitones from equal temperament, on this channel.
    case scaleTuning
    /// Routes the channel `target` of this source to the parts of `value`, a bit for each part, whatever channel they
    /// are set to; below 0 the channel reaches the parts that are set to it. Neither the end of the source nor a panic
    /// undoes this.
    case route
    /// Makes a channel play drums if `value` is a half or more, on a source whose programs are those of General MIDI.
    /// The control thread also receives it.
    case rhythm
    /// Ends all notes of all sources at once.
    case panic
    /// Moves the pitch of a held note to `value` semitones from its key, as by a sliding finger.
    case notePitch
    /// Volume of a held note, `value` 0…1, relative to the volume from its velocity.
    case noteGain
    /// Bends all present and future notes of one key of this source and target, `value` -1…1, until `keyManagement`
    /// changes that. The kinds from here to `keyManagement` act on one key in this sense.
    case keyBend
    /// The range of `keyBend` on this channel, `value` semitones.
    case keyBendRange
    /// Tunes the notes of the key to `value` semitones from it.
    case keyPitch
    /// The modulation wheel of one key, `value` 0…1.
    case keyWheel
    /// The breath controller of one key, `value` 0…1.
    case keyBreath
    /// The timbre of one key, `value` 0…1.
    case keyTimbre
    /// The volume of one key, `value` 0…1, scaled as `expression`.
    case keyVolume
    /// The expression of one key, `value` 0…1.
    case keyExpression
    /// The pan of one key, `value` -1…1, added to that of its sound.
    case keyPan
    /// `value` 1 resets the key's controllers. 2 detaches the key's sounding notes from further changes. 3 detaches the
    /// notes, then resets the controllers.
    case keyManagement
    /// Tunes the next stroke of the key `note` to `value` semitones from it, regardless of `keyPitch`.
    case strokePitch
    /// The tempo of the clock that leads, `value` in beats a minute, not rounded. From then on the source leads: its
    /// clock determines the beat line, and the tempo of the scene does not.
    case clockTempo
    /// The clock that leads is at the beat `note` · 128 + `value` at this frame, modulo 16,384 beats. The beat line goes
    /// there smoothly, from the nearest beat of that number; in less than half the time if `target` is 1.
    case clockBeat
    /// The source starts at the beat `note` · 128 + `value`, 0..<16,384: the beat line jumps there, and the transport
    /// runs. A source that does not lead starts the beat line all the same.
    case clockStart
    /// The transport stops and starts at beat 0 after `value` beats, which the click counts: the beat line jumps to
    /// 0, and again when it reaches `value`. Like `clockStart`, it is ignored while the clock of another source
    /// leads.
    case clockCountIn
    /// The player taps the beat: the nearest whole beat is at this frame. Ignored while a clock leads.
    case clockTap
    /// The transport stops: latched arpeggios and sequences pause, and the beat line continues.
    case clockStop
    /// The transport continues where the beat line is.
    case clockContinue
    /// The clock of the source no longer leads. The beat line keeps its tempo until that of the scene changes.
    case clockGone
    /// The bars of the song from this frame on: `note` beats, 1…127, of which a whole note has 2 to the power of
    /// `target`, 0…6; one of them begins at the beat `value` of the line. They end with the source.
    case clockMeter
    /// All keys of the parts that receive it leave their arpeggios, and the steps end at their gates.
    case clearArp
    /// A MIDI controller that moves a knob: `note` is its number, `value` 0…1.
    case controller
    /// A program change: `note` is the program, `value` the bank.
    case program
    /// Vibrato of the full modulation wheel on this channel, `value` semitones up and down.
    case modulationDepth
    /// Tempo of an external clock, `value` beats a minute, rounded for display.
    case tempo
    /// The song starts, continues or stops: `note` is a `SongCommand`.
    case songCommand
    /// Moves the song to a position, `value` sixteenths from its beginning.
    case songPosition

    /// True for events that only the control thread handles, such as controllers and program changes.
    public var isForControl: Bool { rawValue >= Kind.controller.rawValue }
    /// True for events that both threads handle, the engine first.
    public var isForBoth: Bool {
      switch self {
      case .sourceGone, .setUp, .rhythm, .clockStart, .clockContinue: true
      default: false
      }
    }
    /// True for events that press or release keys.
    public var isOfKeys: Bool {
      switch self {
      case .noteOn, .noteOff, .allNotesOff, .allSoundOff: true
      default: false
      }
    }
  }

  /// The engine's frame at which the event happens; an event in the past happens at once.
  public var frame: Int64
  /// The kind of event.
  public var kind: Kind
  /// The source, 0..<`Limits.sources`.
  public var source: UInt8
  /// The destination: a MIDI channel 0…15, or `Event.part(n)`.
  public var target: UInt8
  /// Note, controller or program number, 0…127.
  public var note: UInt8
  /// The value; its unit and range depend on the kind.
  public var value: Float

  /// Creates an event. The engine clamps numbers that are out of range.
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

  /// An event that resets a source as General MIDI defines, with all volumes at 100 of 127.
  @_noLocks
  public static func generalMIDI(source: UInt8 = 0, frame: Int64 = 0) -> Event {
    Event(frame: frame, kind: .setUp, source: source, note: 1, value: 100.0 / 127)
  }

  /// The engine event that a controller message also causes, in addition to moving a knob: that of a modulation
  /// source. Nil for any other event.
  public var engineEvent: Event? {
    guard kind == .controller else { return nil }
    if note == 74 { return Event(frame: frame, kind: .timbre, source: source, target: target, value: value) }
    guard let moved = ModulationSource.moved(by: note) else { return nil }
    return Event(
      frame: frame, kind: .assignable, source: source, target: target, note: UInt8(moved.index), value: value)
  }

  /// The target that addresses part 0…7 directly, whatever its MIDI channel.
  @_noLocks
  public static func part(_ index: Int) -> UInt8 {
    UInt8(Limits.channels + max(0, min(index, Limits.parts - 1)))
  }
}
