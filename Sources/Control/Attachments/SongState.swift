/// The song that the instrument plays, as surfaces show it.
public struct SongState: Sendable, Equatable {
  /// The name of the song; empty if there is none.
  public var name = ""
  /// True while the song plays.
  public var isOn = false
  /// Whether the song goes on from its end at its beginning.
  public var loops = false
  /// The position of the song in seconds: tenths while it plays.
  public var position = 0.0
  /// The length of the song, in whole seconds.
  public var length = 0
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
  /// Stops the song that plays, or plays on the one that stands.
  case pause
  /// Moves to a position in seconds.
  case move(Double)
  /// Moves to a share of the length, 0…1, as a finger drags it: many come in a second.
  case drag(Double)
  /// Moves to a position in quarter notes, as a device says.
  case locate(Double)
  /// Goes on from the end at the beginning, or ends there.
  case loop(Bool)
  /// Plays it other than it is written.
  case mix(SongMixRequest)
  /// Plays a song of the page, or turns the page.
  case page(SongPageRequest)
  /// A device starts from a position in quarter notes, or continues if that is nil: the song waits for its first pulse.
  case arm(Double?)
  /// The first pulse is at a frame of the engine, and at a beat of the beat line, or where that is if nil.
  case begin(Double?, frame: Int64)
  /// Receives a piece of a MIDI file, with its offset in bytes: 0 begins a new song.
  case take([UInt8], at: Int)
  /// Loads the song from the received pieces, under a name. `programs` is auto, gm or pipit.
  case load(String, programs: String = "auto")
}
