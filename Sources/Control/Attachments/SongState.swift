/// The song that the instrument plays, as surfaces show it.
public struct SongState: Sendable, Equatable {
  /// The name of the song; empty if there is none.
  public var name = ""
  /// What its programs mean and why, as `General MIDI, because it does not say otherwise`; empty if nothing else is
  /// possible.
  public var programs = ""
  /// True while the song plays.
  public var isOn = false
  /// Whether the song repeats from its beginning when it ends.
  public var loops = false
  /// The position of the song in seconds, in steps of a tenth while it plays.
  public var position = 0.0
  /// The length of the song, in whole seconds.
  public var length = 0
  /// The line of the song's words at the position, and the one that follows; empty where there is none.
  public var (lyric, nextLyric) = ("", "")
  /// The marker at the position; empty before the first.
  public var marker = ""
  /// The mix of the song, and the assignment of its channels.
  public var mix = SongMixState()
  /// The page of songs to choose from.
  public var page = SongPageState()

  /// The state without a song.
  public init() {}
}

/// A request to the song player.
public enum SongRequest: Sendable {
  /// Plays the song with a name from its beginning or, without a name, the loaded song from its position. `programs`
  /// is auto, gm or pipit.
  case play(String?, programs: String = "auto")
  case stop
  /// Pauses a song that plays, or continues a song that is stopped.
  case pause
  /// Moves to a position in seconds.
  case move(Double)
  /// Moves to a share of the length, 0…1, that a finger drags. There may be many such requests in a second.
  case drag(Double)
  /// Moves to a position in quarter notes that a device has sent.
  case locate(Double)
  /// Sets whether the song repeats from its beginning when it ends.
  case loop(Bool)
  /// Changes the tempo, the transposition or a muted channel of the song.
  case mix(SongMixRequest)
  /// Plays a song of the page, or turns the page.
  case page(SongPageRequest)
  /// Prepares to play from a position in quarter notes, or from the current one if nil: a device has sent a start or
  /// continue message, and the song waits for its first pulse.
  case arm(Double?)
  /// Plays from the first pulse, which is at a frame of the engine and at a beat of the beat line, or at the line's
  /// current beat if nil.
  case begin(Double?, frame: Int64)
  /// Receives a piece of a MIDI file, with its offset in bytes: 0 begins a new song.
  case take([UInt8], at: Int)
  /// Loads the song from the received pieces, under a name. `programs` is auto, gm or pipit.
  case load(String, programs: String = "auto")
}
