import Control
import MIDI
import Scenes
import Scratch
import Testing
@testable import Playback

/// The player of songs: muted channels, transposition, tempo, the page of songs and the position that is dragged.
@Suite("The player of songs as its page uses it") struct SongPlayerMixTests {
  /// A key on channels 1 and 10 every 12 ticks, a sixteenth, for 16 beats; the first with program 2 of pipit's.
  private static let song: [UInt8] = {
    var track: [UInt8] = [0, 0xB0, 0, 0, 0, 0xC0, 1]
    for _ in 0..<128 {
      track += [0, 0x90, 60, 100, 0, 0x99, 38, 100, 6, 0x80, 60, 0, 0, 0x89, 38, 0, 6] + [0xB2, 1, 9]
    }
    return songFile(track + [0, 0xFF, 0x2F, 0])
  }()

  /// The keys that have been struck on a channel since.
  private func keys(_ joined: JoinedPlayer, _ channel: UInt8) -> [UInt8] {
    joined.events.filter { $0.kind == .noteOn && $0.value > 0 && $0.target == channel }.map(\.note)
  }

  private func state(_ joined: JoinedPlayer) -> SongMixState { joined.instrument.songs.state.mix }

  @Test(
    "A muted channel ends at once and stays silent after a seek, until it is played again or another song is")
  func muted() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.mix(.mute(channel: 0, true))) == "has no song yet")
    #expect(joined.play(Self.song) == nil && joined.until { keys($0, 0).count > 1 && keys($0, 9).count > 1 })
    #expect(!state(joined).sounds[0].isEmpty && state(joined).sounds[5].isEmpty)
    #expect(joined.until { state($0).sounding == 1 | 1 << 9 })
    _ = joined.told()
    #expect(joined.ask(.mix(.mute(channel: 0, true))) == nil)
    let ended = joined.told().filter { $0.kind == .allSoundOff }
    #expect(ended.map(\.target) == [0] && ended.map(\.source) == [UInt8(Limits.songSource)])
    #expect(joined.until { keys($0, 9).count > 1 } && keys(joined, 0).isEmpty)
    #expect(joined.until { state($0).sounding == 1 << 9 && state($0).muted == 1 })
    for seconds in [4.0, 1.0] {
      _ = joined.told()
      #expect(joined.ask(.move(seconds)) == nil)
      #expect(joined.until { keys($0, 9).count > 1 } && keys(joined, 0).isEmpty, "\(seconds)")
    }
    _ = joined.told()
    #expect(joined.ask(.mix(.mute(channel: 0, false))) == nil)
    #expect(joined.until { keys($0, 0).count > 1 })
    // The same song keeps it, another one does not.
    #expect(joined.ask(.mix(.mute(channel: 9, true))) == nil)
    #expect(
      joined.play(Self.song) == nil && joined.until { keys($0, 0).count > 1 && state($0).muted == 1 << 9 })
    #expect(joined.play(Self.song, name: "another") == nil && joined.until { state($0).muted == 0 })
  }

  @Test("Transposed, the drums of channel 10 keep their keys, and each note ends where it began")
  func transposed() throws {
    let joined = try JoinedPlayer()
    #expect(
      joined.ask(.take(Self.song, at: 0)) == nil && joined.ask(.load("a song", programs: "auto")) == nil)
    #expect(joined.ask(.mix(.transpose(99))) == nil && joined.until { state($0).transposition == 12 })
    #expect(joined.ask(.play(nil)) == nil)
    for semitones in [12, -7, 4] {
      #expect(joined.ask(.mix(.transpose(semitones))) == nil)
      let (melody, drums) = (UInt8(60 + semitones), [UInt8(38)])
      #expect(joined.until { keys($0, 0).suffix(2) == [melody, melody] }, "\(semitones)")
      #expect(Set(keys(joined, 9)).isSubset(of: drums))
    }
    #expect(joined.ask(.stop) == nil)
    let events = joined.told()
    var held: Set<UInt8> = []
    for event in events where event.target == 0 {
      if event.kind == .noteOn, event.value > 0 { held.insert(event.note) }
      if event.kind == .noteOff || event.kind == .noteOn && event.value == 0 { held.remove(event.note) }
      if event.kind == .sourceGone { held = [] }
    }
    #expect(held.isEmpty)
  }

  @Test("The tempo in percent holds from the start of a song and is its own for another; the position stays")
  func tempo() throws {
    let joined = try JoinedPlayer()
    func tempos() -> [Float] { joined.events.filter { $0.kind == .clockTempo }.map(\.value) }
    #expect(
      joined.ask(.take(Self.song, at: 0)) == nil && joined.ask(.load("a song", programs: "auto")) == nil)
    #expect(joined.ask(.mix(.tempo(percent: 50))) == nil)
    #expect(joined.ask(.play(nil)) == nil && joined.until { keys($0, 0).count > 2 })
    #expect(Set(tempos()) == [60] && state(joined).percent == 50)
    #expect(joined.ask(.move(3)) == nil && joined.until { $0.instrument.songs.state.position == 3 })
    #expect(joined.ask(.mix(.tempo(percent: 1_000))) == nil && joined.until { _ in tempos().last == 480 })
    #expect(state(joined).percent == 400)
    #expect(joined.play(Self.song, name: "another") == nil && joined.until { _ in tempos().last == 120 })
    #expect(state(joined).percent == 100)
  }

  @Test("Many positions of a finger are few seeks, and the last one holds")
  func dragged() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.drag(0.5)) == "has no song yet")
    #expect(joined.play(Self.song) == nil && joined.until { !keys($0, 0).isEmpty })
    _ = joined.told()
    var share = 0.0
    for _ in 0..<100 {
      #expect(joined.ask(.drag(share)) == nil)
      share = share > 0.7 ? 0.1 : share + 0.01
      joined.pass(milliseconds: 5)
    }
    #expect(joined.ask(.drag(0.75)) == nil)
    #expect(joined.until { $0.instrument.songs.state.position == 6 && $0.instrument.songs.state.isOn })
    // One in each tenth of half a second, and the last.
    let seeks = joined.told().count { $0.kind == .sourceGone }
    #expect(seeks == 6)
    // Without playing it goes there too.
    #expect(joined.ask(.stop) == nil && joined.ask(.drag(0.25)) == nil)
    #expect(joined.until { $0.instrument.songs.state.position == 2 && !$0.instrument.songs.state.isOn })
  }

  @Test("A pause stops a song where it is, and the next one goes on from there")
  func paused() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.pause) == "has no song to play yet")
    #expect(joined.play(Self.song) == nil && joined.until { keys($0, 0).count > 3 })
    #expect(joined.ask(.pause) == nil && joined.until { !$0.instrument.songs.state.isOn })
    #expect(joined.ask(.move(4)) == nil && joined.ask(.pause) == nil)
    #expect(joined.until { $0.instrument.songs.state.isOn && $0.instrument.songs.state.position == 4 })
  }

  @Test("The page has the songs of both folders by name, turns, plays, and sees a file that comes later")
  func page() throws {
    let joined = try JoinedPlayer()
    func page() -> SongPageState { joined.instrument.songs.state.page }
    #expect(joined.until { _ in true } && page() == SongPageState())
    for number in 10..<30 { joined.folder.file("songs/Song \(number).mid", Self.song) }
    joined.folder.file("songs/a karaoke.KAR", Self.song)
    joined.folder.file("songs/notes.txt", "no song")
    #expect(joined.until { _ in page().title == "1-16 of 21" })
    #expect(page().names.prefix(3) == ["a karaoke", "Song 10", "Song 11"] && page().current == nil)
    #expect(
      joined.ask(.page(.turn(forward: true))) == nil && joined.until { _ in page().title == "17-21 of 21" })
    #expect(page().names[4] == "Song 29" && page().names[5].isEmpty)
    #expect(joined.ask(.page(.play(slot: 5))) == nil && !joined.instrument.songs.state.isOn)
    #expect(joined.ask(.page(.play(slot: 4))) == nil && joined.until { _ in page().current == 4 })
    #expect(joined.instrument.songs.state.isOn && joined.instrument.songs.state.name == "Song 29")
    for forward in [false, true, true] { #expect(joined.ask(.page(.turn(forward: forward))) == nil) }
    #expect(joined.until { _ in page().title == "1-16 of 21" && page().current == nil })
    #expect(joined.ask(.page(.play(slot: 0))) == nil && joined.until { _ in page().current == 0 })
    joined.folder.file("songs/0 first.midi", Self.song)
    #expect(joined.until { _ in page().names[0] == "0 first" && page().current == 1 })
  }

  @Test("A whole name in a later folder comes before the beginning of one in an earlier")
  func found() throws {
    let folder = Folder()
    for path in ["own/Tidewater.mid", "own/Canon.kar", "factory/tide.mid", "factory/canon.mid"] {
      folder.file(path, Self.song)
    }
    let folders = ["own", "none", "factory"].map { folder.path + "/" + $0 }
    for (written, wanted) in [
      ("tide", "factory/tide.mid"), ("Tide", "own/Tidewater.mid"), ("canon.mid", "factory/canon.mid"),
      ("Canon", "own/Canon.kar"), ("ca", "own/Canon.kar"),
    ] {
      #expect(try SongFiles.find(written, in: folders).path == folder.path + "/" + wanted, "\(written)")
    }
    #expect(throws: RequestRefused.self) { try SongFiles.find("x", in: folders) }
  }
}
