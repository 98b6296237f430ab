/// Every limit of the instrument. No other file of pipit may hold such a number.
///
/// The limits that the render path reads are getters marked `@_noLocks`; a plain constant of another file could not be
/// proven free of locks.
public enum Limits {
  /// Voices that may sound at once over all parts, not counting stolen voices that still fade.
  public static var voices: Int { @_noLocks @inlinable get { 128 } }
  /// Voices rendered together, one in each lane of a vector.
  public static var lanesPerGroup: Int { @_noLocks @inlinable get { 8 } }
  /// Groups of lanes. All lanes of a group belong to one sound, so there are more groups than all voices fill: eight
  /// for stolen voices that fade, and twenty-four for sounds with only a few voices.
  public static var groups: Int { @_noLocks @inlinable get { 48 } }
  /// When no more groups than these are free, the quietest group of an ending sound fades. There is one for each part,
  /// so that each part finds a free group while others fade.
  public static var spareGroups: Int { @_noLocks @inlinable get { 8 } }
  /// Lanes that carry voices, including stolen voices that still fade.
  public static var lanes: Int { @_noLocks @inlinable get { groups * lanesPerGroup } }
  /// Sounds: the current one of each part, one ending sound for each group, and those of which only tails are left.
  public static var sounds: Int { @_noLocks @inlinable get { parts + groups + 2 * endingRacks } }
  /// Patches of General MIDI's drum kits: those of their presets, and the drums' own.
  public static var kitSounds: Int { @_noLocks @inlinable get { 160 } }
  /// Drum kits besides the standard one.
  public static var otherKits: Int { @_noLocks @inlinable get { 15 } }
  /// Replaced sounds that ring on through their effects after a recall. With more, the quietest one fades.
  public static var endingRacks: Int { @_noLocks @inlinable get { 8 } }
  /// Voices that one compaction moves to other lanes, at most.
  public static var movedVoices: Int { @_noLocks @inlinable get { 16 } }
  /// Number of oscillators of a voice.
  public static var oscillators: Int { @_noLocks @inlinable get { 3 } }
  /// Number of slots of the modulation matrix.
  public static var slots: Int { @_noLocks @inlinable get { 16 } }
  /// Number of macros of a sound.
  public static var macros: Int { @_noLocks @inlinable get { 4 } }
  /// Number of parts of the scene.
  public static var parts: Int { @_noLocks @inlinable get { 8 } }
  /// Parts that a song may play, one for each MIDI channel: those of the scene, and as many that only songs use.
  public static var songParts: Int { 2 * parts }
  /// Pairs of a card's outputs that parts may be routed to.
  public static var outputPairs: Int { @_noLocks @inlinable get { 4 } }
  /// Held keys that a part remembers while one voice plays them all.
  public static var heldKeys: Int { @_noLocks @inlinable get { 16 } }
  /// How long after a step of a clock that leads a key may be struck and still begin on that step, in seconds.
  public static var lateKeySeconds: Double { @_noLocks @inlinable get { 0.03 } }
  /// Keys of an arpeggio in a part, and pressed keys of the chord memory.
  public static var arpKeys: Int { @_noLocks @inlinable get { 32 } }
  /// Notes of arpeggios and sequences that may sound at once in a part. With more, the oldest ends.
  public static var stepNotes: Int { @_noLocks @inlinable get { 64 } }
  /// Notes of strummed chords that a part has still to play.
  public static var strumNotes: Int { @_noLocks @inlinable get { 64 } }
  /// Keys that may have their own MIDI 2.0 bend, pitch or controllers at a time. With more, the key that was moved
  /// first returns to neutral.
  public static var movedKeys: Int { @_noLocks @inlinable get { 256 } }
  /// Number of MIDI channels.
  public static var channels: Int { @_noLocks @inlinable get { 16 } }
  /// The MIDI channel that plays drums when programs follow General MIDI, 0…15.
  public static var drumChannel: Int { @_noLocks @inlinable get { 9 } }
  /// The value of controller 0 (bank select) that chooses drums on any channel: 120 in General MIDI 2.
  public static var rhythmBank: Int { @_noLocks @inlinable get { 120 } }
  /// The value of controller 0 (bank select) that chooses drums in XG and in older devices.
  public static var olderRhythmBank: Int { @_noLocks @inlinable get { 127 } }
  /// Bytes of a system exclusive message, without F0 and F7: more than the longest that is understood, the tunings of
  /// 127 keys.
  public static var exclusiveBytes: Int { @_noLocks @inlinable get { 1024 } }
  /// Sources of notes, each of which can disappear by itself: MIDI ports from 0, clients of a surface from
  /// `surfaceSources`.
  public static var sources: Int { @_noLocks @inlinable get { 32 } }
  /// The first source number of surface clients; lower numbers are MIDI ports.
  public static var surfaceSources: Int { @_noLocks @inlinable get { 16 } }
  /// The source number of the song that the instrument plays itself.
  public static var songSource: Int { @_noLocks @inlinable get { sources - 1 } }
  /// Surface clients that receive feedback. A new client replaces the one that has been silent the longest.
  public static var surfaceClients: Int { songSource - surfaceSources }
  /// Events that a ring holds: at 128 frames, enough for a note storm of 500,000 events a second.
  public static var ringEvents: Int { @_noLocks @inlinable get { 2048 } }
  /// Frames between two updates of envelopes, LFO and filter coefficients: 3 kHz at 48 kHz.
  public static var controlFrames: Int { @_noLocks @inlinable get { 1 << controlShift } }
  /// `controlFrames` as a power of two. Phases are shifted by it, because SSE2 cannot multiply them.
  public static var controlShift: Int32 { @_noLocks @inlinable get { 4 } }
  /// Frames between two updates of voices with unison, two ticks: 1.5 kHz at 48 kHz.
  public static var unisonFrames: Int { @_noLocks @inlinable get { 2 * controlFrames } }
  /// Frames that a group renders before the next group does, at most: four control updates, so that the group's memory
  /// stays in the processor's first-level cache.
  public static var runFrames: Int { @_noLocks @inlinable get { 4 * controlFrames } }
  /// Levels at or below this are silence, in decibels.
  public static var silence: Float { @_noLocks @inlinable get { -60 } }
  /// Frames of look-ahead of the limiter, which are also its delay: 1 ms at 48 kHz.
  public static var lookAhead: Int { @_noLocks @inlinable get { 48 } }
  /// The longest period that may be set, in frames.
  public static var period: Int { @_noLocks @inlinable get { 8192 } }
  /// The longest glide, in seconds.
  public static var glideSeconds: Float { @_noLocks @inlinable get { 5 } }
  /// The longest time that the recall of a snapshot takes, in seconds.
  public static var morphSeconds: Float { @_noLocks @inlinable get { 20 } }
  /// Snapshots of a preset, A to H.
  public static let snapshots = 8
  /// The longest song, in seconds.
  public static let songSeconds = 86_400
  /// The longest time without a message in a song, in seconds. Longer pauses are shortened to `shortPause`, unless the
  /// song is read strictly.
  public static let songPause: Double = 60
  /// The length that a longer pause is shortened to, in seconds.
  public static let shortPause: Double = 10
  /// The longest part of a song that is rendered unless the option `length` asks for more, in seconds.
  public static let renderedSeconds = 3_600
  /// The periods that may be set, in frames.
  public static let periods: ClosedRange<Int> = 16...period
  /// The numbers of periods in a card's buffer that may be set.
  public static let periodCounts: ClosedRange<Int> = 2...4
  /// The sample rates that may be set, in Hz.
  public static let rates: ClosedRange<Int> = 22_050...192_000
  /// How long the recording of a step sequence waits for its next step before it ends, in nanoseconds: the client
  /// that began it may have disappeared.
  public static let recordingPause: Int64 = 60_000_000_000
  /// Presets on a page of buttons.
  public static let presetsPerPage = 16
  /// Setups on a page of buttons.
  public static let setupsPerPage = 16
  /// The most setups: 128 banks of 128 programs.
  public static let setups = 16_384
  /// The setups, from the first, that a control can be bound to.
  public static let boundSetups = 128
  /// The most setlists.
  public static let setlists = 999
  /// The most entries of a setlist.
  public static let setlistEntries = 200
  /// The most versions of a setup that are unsaved edits, dropped by the recall of another setup; the other versions
  /// are the player's saves.
  public static let droppedEdits = 3

  /// How long after a press that steps through setups or a setlist a further press counts as a bounce, in
  /// nanoseconds.
  public static let stepPause: Int64 = 150_000_000
  /// The largest preset that is read, in bytes: a line for each knob and step of the sound and of its snapshots. The
  /// lines of an imported preset that state its name and slot are not counted, because they are not kept.
  public static let presetBytes = 131_072
  /// The largest configuration or list of clients that is read, in bytes.
  public static let textBytes = 65_536
  /// The longest text of the known devices, in bytes.
  public static let devicesTextBytes = 262_144
  /// The longest text of the session, in bytes: the sounds of all parts with their snapshots.
  public static let sessionTextBytes = parts * presetBytes + devicesTextBytes
  /// The largest file of concatenated presets that is imported, in bytes.
  public static let presetFileBytes = 16 << 20
  /// The largest song file that is played or kept, in bytes.
  public static let songFileBytes = 1 << 20
  /// The largest backup, and the largest file that is sent to pipit in pieces, in bytes.
  public static let backupBytes = 64 << 20
  /// The largest update of the card image, in bytes.
  public static let updateBytes = 256 << 20
  /// The largest piece of an update that one request carries, in bytes.
  public static let updatePieceBytes = 1 << 20
  /// The largest sum of the files in a backup, in bytes.
  public static let backupContentBytes = 128 << 20
  /// The most files in a backup.
  public static let backupFiles = 200_000
}
