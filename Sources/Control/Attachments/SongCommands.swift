import Synth

/// Passes a sequencer's start, stop and song position on to the song player.
final class SongCommands: Feature {
  private let songs: Attachment<SongState, SongRequest>

  init(_ songs: Attachment<SongState, SongRequest>) { self.songs = songs }

  // Without a song to play, a sequencer's commands are meant for other instruments, so refusals are ignored.
  func take(_ command: Event) {
    switch command.kind {
    case .songPosition: try? songs.ask(.locate(Double(command.value) / 4))
    case .songCommand:
      switch SongCommand(rawValue: command.note) {
      case .start:
        try? songs.ask(.move(0))
        try? songs.ask(.play(nil))
      case .resume: try? songs.ask(.play(nil))
      case .stop: try? songs.ask(.stop)
      case nil: break
      }
    default: break
    }
  }
}
