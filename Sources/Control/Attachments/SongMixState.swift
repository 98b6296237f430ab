import Glibc
import Synth

/// The mute, tempo and transposition of a song and the assignment of its channels, as surfaces show them.
public struct SongMixState: Sendable, Equatable {
  /// The range of the tempo, percent of the song's own.
  public static let percents = 25.0...400.0
  /// The range of the transposition, semitones.
  public static let semitones = -12...12

  /// The tempo in percent of the song's own. It applies while the song leads the beat.
  public var percent = 100.0
  /// The transposition of all channels but those of drums, semitones.
  public var transposition = 0
  /// The muted channels, a bit for each.
  public var muted: UInt16 = 0
  /// The channels on which notes sound, a bit for each.
  public var sounding: UInt16 = 0
  /// The name of the sound of each channel; empty for a channel without notes.
  public var sounds = [String](repeating: "", count: Limits.channels)

  /// The song as it is written.
  public init() {}

  /// The position of a fader for the tempo, 0…1: the middle is 100 %.
  public var fader: Double { SongMixState.fader(percent: percent) }

  /// The position of a fader for a tempo in percent, 0…1.
  public static func fader(percent: Double) -> Double {
    max(0, min(log2(percent / percents.lowerBound) / octaves, 1))
  }

  /// The tempo in percent for a fader position, 0…1; within 0.005 of the middle, half a press of an
  /// arrow key, it is 100 %.
  public static func percent(fader: Double) -> Double {
    let percent = percents.lowerBound * exp2(max(0, min(fader, 1)) * octaves)
    // So that a finger finds the song's own tempo.
    return abs(fader - 0.5) < 0.005 ? 100 : percent
  }

  /// The range of the tempo in octaves.
  private static let octaves = log2(percents.upperBound / percents.lowerBound)
}

/// A request to play the current song otherwise than it is written. Another song is played as it is written.
public enum SongMixRequest: Sendable, Equatable {
  /// Plays at a tempo in percent of the song's own.
  case tempo(percent: Double)
  /// Transposes by semitones all channels but those of drums.
  case transpose(Int)
  /// Mutes a channel, 0…15, or plays it again.
  case mute(channel: Int, Bool)
}
