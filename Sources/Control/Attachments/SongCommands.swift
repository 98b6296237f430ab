import Synth

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
