/// Every limit of the instrument, once. Nothing else in pipit may hold such a number.
///
/// Those that the render path reads are getters that carry the proof; a plain constant of another file would not.
public enum Limits {
  /// Voices that may sound at once over all parts, not counting those that fade because they were stolen.
  public static var voices: Int { @_noLocks get { 128 } }
  /// Voices rendered together, one in each lane of a vector.
  public static var lanesPerGroup: Int { @_noLocks get { 8 } }
  /// Groups of lanes. Each is of one sound, so that there are more than all voices fill: eight for stolen voices to fade
  /// in, and twenty-four for sounds that have only a few voices.
  public static var groups: Int { @_noLocks get { 48 } }
  /// When no more groups than these are free, an ending sound's quietest group is let go: one for each part, so that
  /// each finds one while the others fade.
  public static var spareGroups: Int { @_noLocks get { 8 } }
  /// Lanes that carry voices: the voices, and those that fade because they were stolen.
  public static var lanes: Int { @_noLocks get { groups * lanesPerGroup } }
  /// Sounds: the current one of each part, one that ends for every group, and those that have only tails left.
  public static var sounds: Int { @_noLocks get { parts + groups + 2 * endingRacks } }
  /// Sounds that ring on through their effects when a recall has replaced them: with more, the quietest is faded.
  public static var endingRacks: Int { @_noLocks get { 8 } }
  /// Voices brought closer together at one time, and every so many frames.
  public static var movedVoices: Int { @_noLocks get { 16 } }
  /// Slots of the modulation matrix.
  public static var slots: Int { @_noLocks get { 8 } }
  /// Parts of the scene.
  public static var parts: Int { @_noLocks get { 8 } }
  /// Pairs of a card's outputs that parts may play on.
  public static var outputPairs: Int { @_noLocks get { 4 } }
  /// Keys that a part remembers while one voice plays them all.
  public static var heldKeys: Int { @_noLocks get { 16 } }
  /// Keys of MIDI 2.0 that are bent or moved at a time, each by itself; with more, the one moved first rests.
  public static var movedKeys: Int { @_noLocks get { 256 } }
  /// MIDI channels.
  public static var channels: Int { @_noLocks get { 16 } }
  /// The channel that plays drums where programs are General MIDI's, 0…15.
  public static var drumChannel: Int { @_noLocks get { 9 } }
  /// Origins of notes that can vanish on their own: MIDI ports from 0, clients of a surface from `surfaceSources`.
  public static var sources: Int { @_noLocks get { 32 } }
  /// The first source that stands for a client of a surface; the ones below are MIDI ports.
  public static var surfaceSources: Int { @_noLocks get { 16 } }
  /// The source that is the song which the instrument plays by itself.
  public static var songSource: Int { @_noLocks get { sources - 1 } }
  /// Clients of surfaces that are kept up to date; the least recently heard makes room.
  public static var surfaceClients: Int { songSource - surfaceSources }
  /// Events that a ring holds: at 128 frames, a note storm of 500,000 events a second.
  public static var ringEvents: Int { @_noLocks get { 2048 } }
  /// Frames between two updates of envelopes, LFO and filter coefficients: 3 kHz at 48 kHz.
  public static var controlFrames: Int { @_noLocks get { 1 << controlShift } }
  /// The same as a power of two: phases are shifted by it, since SSE2 cannot multiply them.
  static var controlShift: Int32 { @_noLocks get { 4 } }
  /// Frames between two updates of voices with a unison, two ticks: 1.5 kHz at 48 kHz.
  public static var unisonFrames: Int { @_noLocks get { 2 * controlFrames } }
  /// Frames that one group renders before the next, at most: four updates of control rate, so that its memory stays
  /// in the processor's first cache meanwhile.
  public static var runFrames: Int { @_noLocks get { 4 * controlFrames } }
  /// Levels this low, in decibels, are silence.
  public static var silence: Float { @_noLocks get { -60 } }
  /// Frames that the limiter looks ahead, and so delays: 1 ms at 48 kHz.
  public static var lookAhead: Int { @_noLocks get { 48 } }
  /// The longest period that may be asked for, in frames.
  public static var period: Int { @_noLocks get { 8192 } }
  /// The longest glide, in seconds.
  public static var glideSeconds: Float { @_noLocks get { 5 } }
  /// The longest song, in seconds.
  public static let songSeconds = 86_400
  /// The longest time without a message in a song, in seconds: longer ones are made `shortPause`, unless the song is read
  /// strictly.
  public static let songPause: Double = 60
  /// What a longer pause is made, in seconds.
  public static let shortPause: Double = 10
  /// As much of a song is rendered unless more is asked for, in seconds.
  public static let renderedSeconds = 3_600
  /// The periods that may be asked for, in frames.
  public static let periods: ClosedRange<Int> = 16...period
  /// How many periods in a card's buffer may be asked for.
  public static let periodCounts: ClosedRange<Int> = 2...4
  /// The sample rates that may be asked for, in Hz.
  public static let rates: ClosedRange<Int> = 22_050...192_000
  /// Presets on a page of buttons.
  public static let presetsPerPage = 16
  /// The largest preset, configuration or list of clients that is read, in bytes. Of a preset that is imported, the lines
  /// that say its name and its place are not counted: they are not kept.
  public static let textBytes = 65_536
  /// The longest text of the session, or of the known devices, in bytes.
  public static let sessionTextBytes = 262_144
  /// The largest file of presets, one after the other, that is imported, in bytes.
  public static let presetFileBytes = 16 << 20
}
