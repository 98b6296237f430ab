/// Every limit of the instrument, once. Nothing else in pipit may hold such a number.
///
/// Those that the render path reads are getters that carry the proof; a plain constant of another file would not.
public enum Limits {
  /// Voices that may sound at once over all parts, not counting those that fade because they were stolen.
  public static var voices: Int { @_noLocks get { 128 } }
  /// Lanes that carry voices: the voices, and room for stolen ones to fade out in.
  public static var lanes: Int { @_noLocks get { 192 } }
  /// Voices brought closer together in one block, when the machine is too slow for all of them.
  public static var gathered: Int { @_noLocks get { 16 } }
  /// Voices rendered together, one in each lane of a vector.
  public static var lanesPerGroup: Int { @_noLocks get { 8 } }
  /// Groups of lanes.
  public static var groups: Int { @_noLocks get { lanes / lanesPerGroup } }
  /// Parts of the scene.
  public static var parts: Int { @_noLocks get { 8 } }
  /// MIDI channels.
  public static var channels: Int { @_noLocks get { 16 } }
  /// Origins of notes that can vanish on their own: MIDI ports from 0, OSC clients from `oscSources`.
  public static var sources: Int { @_noLocks get { 32 } }
  /// The first source that stands for an OSC client; the ones below are MIDI ports.
  public static var oscSources: Int { @_noLocks get { 16 } }
  /// OSC clients that are kept up to date; the least recently heard makes room.
  public static var oscClients: Int { sources - oscSources }
  /// Events that a ring holds: at 128 frames, a note storm of 500,000 events a second.
  public static var ringEvents: Int { @_noLocks get { 2048 } }
  /// Frames between two updates of envelopes, LFO and filter coefficients: 3 kHz at 48 kHz.
  public static var controlFrames: Int { @_noLocks get { 16 } }
  /// Levels this low, in decibels, are silence.
  public static var silence: Float { @_noLocks get { -60 } }
  /// Frames that the limiter looks ahead, and so delays: 1 ms at 48 kHz.
  public static var lookAhead: Int { @_noLocks get { 48 } }
  /// The longest period that may be asked for, in frames.
  public static var period: Int { @_noLocks get { 8192 } }
  /// The periods that may be asked for, in frames.
  public static let periods: ClosedRange<Int> = 16...8192
  /// The sample rates that may be asked for, in Hz.
  public static let rates: ClosedRange<Int> = 22_050...192_000
  /// Presets on a page of buttons.
  public static let presetsPerPage = 16
  /// The largest preset, configuration or list of clients that is read, in bytes.
  public static let textBytes = 65_536
}
