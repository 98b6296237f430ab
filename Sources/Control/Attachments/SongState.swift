/// The song that the instrument plays, as surfaces show it.
public struct SongState: Sendable, Equatable {
  /// Its name; empty while there is none.
  public var name = ""
  /// True while it is played.
  public var isOn = false
  /// Its position and length, in whole seconds.
  public var (position, length) = (0, 0)

  /// The state without a song.
  public init() {}
}

/// A request to the song player.
public enum SongRequest: Sendable {
  /// Plays the song of a name from its beginning, or without a name the loaded song from its position. `programs` is auto,
  /// gm or pipit.
  case play(String?, programs: String = "auto")
  case stop
  /// Goes to a position, in seconds.
  case move(Double)
  /// Goes to a position, in quarter notes.
  case locate(Double)
  /// Takes a piece of a MIDI file and its offset in bytes: 0 begins a new song.
  case take([UInt8], at: Int)
  /// Loads the song whose pieces have been taken, under a name. `programs` is auto, gm or pipit.
  case load(String, programs: String = "auto")
}
