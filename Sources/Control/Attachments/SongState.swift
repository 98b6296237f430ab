/// The song that the instrument plays, as surfaces see it. The player's, and put here by whoever joins the two.
public struct SongState: Sendable, Equatable {
  /// What it is called; empty while there is none.
  public var name = ""
  /// True while it is played.
  public var isOn = false
  /// Where it stands, in whole seconds, and where it ends.
  public var (position, length) = (0, 0)

  /// No song.
  public init() {}
}

/// What a surface asks of the player of songs.
public enum SongRequest: Sendable {
  /// The song of that name, from its beginning; without one the song that there is, from where it stands. What its programs
  /// mean: auto, gm or pipit.
  case play(String?, programs: String = "auto")
  case stop
  /// Goes to a place, in seconds.
  case move(Double)
  /// The same, in quarter notes from the beginning.
  case locate(Double)
  /// A piece of a song as a file holds it, and where it belongs: at 0 a new song begins.
  case take([UInt8], at: Int)
  /// The pieces that have come are a whole song of that name, whose programs mean that.
  case load(String, programs: String = "auto")
}
