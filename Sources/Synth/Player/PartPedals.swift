/// The pedals of all sources that a part receives, as sets of sources, one bit each.
struct PartPedals {
  /// Channels that the part answers to, one bit each.
  var channels: UInt32 = 0
  /// Controllers that the part receives, in the bits of `ReceivedControllers`.
  var received: UInt8 = 0
  /// Sources with a pedal down on one of these channels: sustain, sostenuto, soft, and the legato switch.
  var sustainSources: UInt32 = 0
  var sostenutoSources: UInt32 = 0
  var softSources: UInt32 = 0
  var legatoSources: UInt32 = 0
  /// Sources whose expression pedals and volumes are not at their maximum.
  var attenuatingSources: UInt32 = 0

  /// No pedal down.
  @_noLocks init() {}

  /// The channel, as a bit, if the part answers to exactly one; 0 otherwise. Such parts play the drums of General
  /// MIDI.
  var onlyChannel: UInt32 { @_noLocks get { channels & (channels &- 1) == 0 ? channels : 0 } }
}
