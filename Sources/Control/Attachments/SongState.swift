import Glibc
import Scenes

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

/// Passes a sequencer's start, first pulse, stop and song position on to the song player.
final class SongCommands: Feature {
  private let songs: Attachment<SongState, SongRequest>

  init(_ songs: Attachment<SongState, SongRequest>) { self.songs = songs }

  // Without a song to play, a sequencer's commands are meant for other instruments, so refusals are ignored.
  func take(_ command: Event) {
    switch command.kind {
    case .songPosition: try? songs.ask(.locate(Double(command.value) / 4))
    case .songCommand:
      switch SongCommand(rawValue: command.note) {
      case .start: try? songs.ask(.arm(0))
      case .resume: try? songs.ask(.arm(nil))
      case .stop: try? songs.ask(.stop)
      case nil: break
      }
    case .clockStart: try? songs.ask(.begin(command.beat, frame: command.frame))
    case .clockContinue: try? songs.ask(.begin(nil, frame: command.frame))
    default: break
    }
  }
}
