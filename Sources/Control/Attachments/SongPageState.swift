import Synth

/// The page of sixteen songs that surfaces show.
public struct SongPageState: Sendable, Equatable {
  /// The name of the page, as `1-16 of 40`; empty without songs.
  public var title = ""
  /// The name of the song in each slot, without its ending; empty without one.
  public var names = [String](repeating: "", count: Limits.presetsPerPage)
  /// The slot of the loaded song, from 0; nil if it is not on the page.
  public var current: Int?

  /// A page without songs.
  public init() {}
}

/// A request about the page of songs.
public enum SongPageRequest: Sendable, Equatable {
  /// Plays the song in a slot, from 0, from its beginning.
  case play(slot: Int)
  /// Turns to the next or the previous page; from the last to the first and back.
  case turn(forward: Bool)
}
