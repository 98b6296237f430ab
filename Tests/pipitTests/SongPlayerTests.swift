import Control
import MIDI
import Parameters
import Playback
import Presets
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import pipit

/// The player of songs joined with control, without an engine: what it would have been told lies in the ring. Time
/// passes only while the test lets it.
final class JoinedPlayer {
  private final class Time { var now = monotonic() }

  static let clocks: Set<Event.Kind> = [.clockTempo, .clockStart, .clockStop, .clockGone, .clockMeter]
  /// The time of a round, nanoseconds.
  var step: Int64 = 5_000_000
  let loop: PollLoop
  let link = Link(.initial)
  let instrument: Instrument
  let songs: SongPlayer
  let folder = Folder()
  private let time = Time()
  private let start: Int64
  private(set) var events: [Event] = []

  init(runs: Bool = true) throws {
    let made = PollLoop { [time] in time.now }
    loop = try #require(made)
    start = time.now
    let factory = folder.path + "/factory"
    for number in 1...3 {
      folder.file("factory/0\(number)-x.txt", "pipit preset 1\n/filter/cutoff/hz \(number)00\n")
    }
    instrument = Instrument(
      link: link, library: Library(database: nil, factory: factory, log: { _ in }), log: { _ in })
    instrument.join(loop)
    songs = SongPlayer(folders: [folder.path + "/songs"], instrument, loop)
    if runs { publish() }
  }

  /// The frame of this moment.
  var frame: Int64 { link.clock.frame(at: time.now) }

  /// A frame is a sample of 48 kHz since the start.
  private func publish() {
    link.clock.publish(
      frame: (time.now - start) * 48 / 1_000_000, nanoseconds: time.now, latency: 0, rate: 48_000)
  }

  /// Takes what the engine was told since.
  func take() -> [Event] {
    var all: [Event] = []
    while let event = link.control.peek()?.pointee {
      all.append(event)
      link.control.drop()
    }
    return all
  }

  /// One round, which gathers what the engine is told.
  private func round() {
    time.now += step
    publish()
    loop.round(limit: 0)
    events += take()
  }

  /// Lets time pass, in rounds.
  func pass(milliseconds: Int64) {
    let end = time.now + milliseconds * 1_000_000
    while time.now < end { round() }
  }

  /// Goes round until it is so: a minute of real time at most, since folders are read by another thread.
  func until(_ isSo: (JoinedPlayer) -> Bool) -> Bool {
    let end = monotonic() + 60_000_000_000
    repeat {
      round()
      if isSo(self) { return true }
    } while monotonic() < end
    return false
  }

  func ask(_ request: SongRequest) -> String? { songs.handle(request) }

  /// Sends a song as `pipit play` does, and plays it.
  func play(_ bytes: [UInt8], name: String = "a song") -> String? {
    ask(.take(bytes, at: 0)) ?? ask(.load(name)) ?? ask(.play(nil))
  }

  /// What the engine was told since that is not about routes and clocks.
  func told() -> [Event] {
    defer { events = [] }
    events += take()
    return events.filter { $0.kind != .route && !JoinedPlayer.clocks.contains($0.kind) }
  }
}

/// A file of one track; 96 ticks are half a second.
func songFile(_ track: [UInt8]) -> [UInt8] {
  let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
  let length: [UInt8] = [0, 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)]
  var file: [UInt8] = Array("MThd".utf8)
  for part in [head, Array("MTrk".utf8), length, track] { file += part }
  return file
}

/// A pedal, a wheel and a key that is held for 50 seconds, and pressure after 21 and 42 milliseconds; at 10 seconds the
/// pedal comes up, and the song ends after a minute. Nothing of it chooses a sound.
private let long: [UInt8] = {
  var track: [UInt8] = [0, 0xB0, 64, 127, 0, 1, 100, 0, 0x90, 60, 100, 4, 0xD0, 9, 4, 10]
  track += [0x8E, 0x78, 0xB0, 64, 0]
  // 7,680 ticks.
  track += [0xBC, 0x00, 0x90, 60, 0, 0x8F, 0x00, 0xFF, 0x2F, 0]
  return songFile(track)
}()

@Suite("The player of songs") struct SongPlayerTests {
  private let source = UInt8(Limits.songSource)

  @Test("takes the pieces of a song in their order alone, and up to its limit")
  func pieces() throws {
    let joined = try JoinedPlayer()
    for (start, end) in [(0, 10), (10, 11)] {
      #expect(joined.ask(.take(Array(long[start..<end]), at: start)) == nil)
    }
    for place in [10, 12, 1, 1_000_000] {
      #expect(joined.ask(.take([1, 2, 3], at: place)) == "has 11 bytes so far", "\(place)")
    }
    #expect(joined.ask(.take(Array(long[11...]), at: 11)) == nil)
    #expect(joined.ask(.load("a song")) == nil && joined.until { $0.instrument.songs.state.length == 60 })
    #expect(joined.instrument.songs.state.name == "a song" && !joined.instrument.songs.state.isOn)
    // They are gone then, and also when they were no song.
    #expect(joined.ask(.take([1], at: long.count)) == "has 0 bytes so far")
    #expect(joined.ask(.take([1, 2], at: 0)) == nil)
    #expect(joined.ask(.load("rubbish"))?.hasPrefix("cannot read rubbish: ") == true)
    #expect(
      joined.ask(.take([3], at: 2)) == "has 0 bytes so far" && joined.instrument.songs.state.name == "a song")
    // Another song begins at 0.
    #expect(joined.ask(.take([9, 9], at: 0)) == nil && joined.ask(.take(long, at: 0)) == nil)
    #expect(joined.ask(.load("again")) == nil)
    let most = [UInt8](repeating: 0, count: SongPlayer.maxBytes)
    #expect(joined.ask(.take(most, at: 0)) == nil)
    #expect(joined.ask(.take([0], at: most.count)) == "takes 1 MiB at most")
    #expect(joined.ask(.load("song", programs: "gs"))?.contains("takes auto, gm, pipit") == true)
  }

  @Test("lets go all that it holds when it is stopped, moved or replaced, and at its end")
  func letGo() throws {
    let joined = try JoinedPlayer()
    #expect(joined.play(long) == nil)
    #expect(joined.until { $0.events.count { $0.kind == .pressure } == 2 })
    let first = joined.told()
    #expect(first.map(\.kind) == [.sustain, .wheel, .noteOn, .pressure, .pressure])
    #expect(first.allSatisfy { $0.source == source })

    #expect(joined.ask(.stop) == nil)
    #expect(joined.told().map(\.kind) == [.sourceGone] && joined.until { !$0.instrument.songs.state.isOn })
    // There is nothing to let go any more.
    #expect(joined.ask(.stop) == nil && joined.told().isEmpty)

    // It goes on with the pedal, and without the note that began before.
    #expect(joined.ask(.play(nil)) == nil)
    #expect(joined.told().map(\.kind) == [.sustain, .wheel, .pressure])
    #expect(joined.ask(.play(nil)) == nil && joined.told().isEmpty)

    // First everything is let go, then what stands there is brought there.
    #expect(joined.ask(.move(5)) == nil)
    let moved = joined.told()
    #expect(moved.map(\.kind) == [.sourceGone, .sustain, .wheel, .pressure])
    #expect(moved.first { $0.kind == .wheel }?.value == Float(MIDIValue(100, bits: 7).unit))
    #expect(joined.until { $0.instrument.songs.state.isOn && $0.instrument.songs.state.position == 5 })
    #expect(joined.ask(.locate(60)) == nil)
    let located = joined.told()
    #expect(located.map(\.kind) == [.sourceGone, .wheel, .pressure, .sustain] && located.last?.value == 0)
    #expect(joined.until { $0.instrument.songs.state.position == 30 })

    // Another song.
    #expect(
      joined.play(songFile([0, 0x90, 62, 100, 5, 0xB0, 64, 127, 5, 0xFF, 0x2F, 0]), name: "short") == nil)
    #expect(joined.told().map(\.kind) == [.sourceGone])
    #expect(joined.until { !$0.instrument.songs.state.isOn && $0.instrument.songs.state.name == "short" })
    let ended = joined.told()
    #expect(
      ended.map(\.kind) == [.noteOn, .sustain, .noteOff, .sustain, .sourceGone], "\(ended.map(\.kind))")
    // It stands at its end, and begins anew from there.
    #expect(joined.ask(.play(nil)) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
  }

  @Test("goes where it is told to while it stands, no farther than the end")
  func moved() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.move(5)) == "has no song yet" && joined.ask(.play(nil)) == "has no song to play yet")
    #expect(joined.ask(.take(long, at: 0)) == nil && joined.ask(.load("a song")) == nil)
    for (seconds, place) in [(12.9, 12.9), (0, 0), (59.99, 59.99), (60, 60), (1_000, 60)]
      as [(Double, Double)]
    {
      #expect(joined.ask(.move(seconds)) == nil)
      #expect(
        joined.until { $0.instrument.songs.state.position == place } && !joined.instrument.songs.state.isOn,
        "\(seconds)")
    }
    // A quarter note is half a second.
    #expect(joined.ask(.locate(50)) == nil && joined.until { $0.instrument.songs.state.position == 25 })
    #expect(joined.told().isEmpty)
    let silent = try JoinedPlayer(runs: false)
    #expect(silent.ask(.take(long, at: 0)) == nil && silent.ask(.load("a song")) == nil)
    #expect(silent.ask(.play(nil)) == "has no sound output to play on")
  }

  @Test("stamps what it does with its moment, however late it is")
  func frames() throws {
    // Notes 25 ms apart, 4.8 ticks each: at 4, 9, 14 and 19 ticks of 5.208 ms.
    let track: [UInt8] = [4, 0x90, 60, 100, 5, 61, 100, 5, 62, 100, 5, 63, 100, 0x60, 0xFF, 0x2F, 0]
    for step: Int64 in [1, 5, 17, 70] {
      let joined = try JoinedPlayer()
      joined.step = step * 1_000_000
      #expect(joined.play(songFile(track)) == nil)
      #expect(joined.until { $0.events.filter { $0.kind == .noteOn }.count == 4 })
      let notes = joined.told().filter { $0.kind == .noteOn }
      #expect(notes.map(\.note) == [60, 61, 62, 63])
      for (one, other) in zip(notes, notes.dropFirst()) {
        // 1,250 frames; either is rounded to its own.
        #expect(abs(other.frame - one.frame - 1_250) <= 2, "\(other.frame - one.frame), \(step) ms")
      }
    }
  }

  @Test("sets the tempo, and has its channels played by parts of their own while it plays")
  func routes() throws {
    let joined = try JoinedPlayer()
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x27, 0xC0]
    // Programs behind a bank: they are pipit's.
    let choice: [UInt8] = [0, 0xB4, 0, 0, 0, 0xC4, 2, 0, 0xB6, 0, 0, 0, 0xC6, 1]
    let keys: [UInt8] = [0, 0x96, 60, 100, 0, 0x94, 60, 100, 0x8F, 0, 0xFF, 0x2F, 0]
    #expect(joined.play(songFile(tempo + choice + keys)) == nil)
    #expect(joined.until { $0.events.filter { $0.kind == .noteOn }.count == 2 })
    let routes = joined.events.filter { $0.kind == .route }
    #expect(routes.count == Limits.channels && routes.allSatisfy { $0.source == source })
    // Part 1 hears channel 5 and part 2 channel 7, the others what answers to them.
    var parts = [Float](repeating: -1, count: 16)
    (parts[4], parts[6]) = (1, 2)
    #expect(routes.map(\.value) == parts)
    #expect(joined.instrument.stage.scene[try #require(Address("/tempo", focus: 0)).knob] == 100)
    #expect((0..<2).map { joined.instrument.stage.scene[$0].patch.filter.cutoff } == [300, 200])
    _ = joined.told()
    #expect(joined.ask(.stop) == nil)
    let after = joined.take().filter { !JoinedPlayer.clocks.contains($0.kind) }
    #expect(after.first?.kind == .sourceGone)
    #expect(after.dropFirst().map(\.value) == [Float](repeating: -1, count: Limits.channels))
  }

  @Test("finds a song by its name, whole or begun, in the first folder that has one")
  func names() throws {
    let joined = try JoinedPlayer()
    for name in ["Canon", "Canto", "Duo"] { joined.folder.file("songs/\(name).mid", long) }
    joined.folder.file("songs/notes.txt", "no song")
    #expect(joined.ask(.play("can"))?.hasPrefix("\"can\" may be Canon.mid, Canto.mid") == true)
    #expect(joined.ask(.play("notes"))?.hasPrefix("no song begins with \"notes\" in ") == true)
    for (written, name) in [("Canto", "Canto"), ("canon", "Canon"), ("Duo.mid", "Duo"), ("d", "Duo")] {
      #expect(joined.ask(.play(written)) == nil)
      #expect(
        joined.until { $0.instrument.songs.state.name == name && $0.instrument.songs.state.isOn },
        "\(written)")
    }
  }

  @Test("leads the beat line as far as the choice allows it, and leaves the tempo to others")
  func choices() throws {
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x27, 0xC0]
    let song = songFile(tempo + [0, 0x90, 60, 100, 0x8F, 0, 0xFF, 0x2F, 0])
    for choice in [ClockChoice.auto, .song, .own, .device(3)] {
      let joined = try JoinedPlayer()
      joined.instrument.devices.table.follow(choice)
      joined.instrument.tempo.set(77)
      #expect(joined.play(song) == nil)
      #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
      let leads = choice == .auto || choice == .song
      #expect(joined.events.contains { $0.kind == .clockStart } == leads)
      #expect(joined.until { $0.instrument.stage.scene.master.tempo == (leads ? 100 : 77) }, "\(choice)")
      #expect(joined.ask(.stop) == nil)
      #expect(
        joined.take().map(\.kind).prefix(leads ? 2 : 1)
          == (leads ? [.clockStop, .sourceGone] : [.sourceGone]))
    }
  }

  @Test("waits for the first pulse of a device that starts, and without one for a moment")
  func armed() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.arm(0)) == "has no song to play yet")
    #expect(joined.ask(.take(long, at: 0)) == nil && joined.ask(.load("a song")) == nil)
    // A pulse that nobody waits for.
    #expect(joined.ask(.begin(0, frame: 0)) == nil && joined.told().isEmpty)
    #expect(joined.ask(.arm(0)) == nil)
    let frame = joined.frame
    #expect(joined.ask(.begin(0, frame: frame)) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
    let note = joined.told().first { $0.kind == .noteOn }
    #expect(note?.frame == frame && !joined.events.contains { JoinedPlayer.clocks.contains($0.kind) })

    // A device that has no pulses: the song goes by itself, from where it stands.
    #expect(joined.ask(.stop) == nil && joined.ask(.locate(50)) == nil)
    #expect(joined.ask(.arm(nil)) == nil)
    #expect(joined.until { $0.instrument.songs.state.isOn && $0.instrument.songs.state.position == 25 })
    #expect(joined.ask(.arm(nil)) == nil && joined.told().contains { $0.kind == .sustain })
    // A stop takes it back.
    #expect(joined.ask(.arm(0)) == nil && joined.ask(.stop) == nil)
    _ = joined.told()
    joined.pass(milliseconds: 200)
    #expect(joined.told().isEmpty)
  }

  @Test("begins anew with the pulse of a device that comes after it has begun by itself")
  func slowDevice() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.take(long, at: 0)) == nil && joined.ask(.load("a song")) == nil)
    #expect(joined.ask(.arm(0)) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
    _ = joined.told()
    let frame = joined.frame
    #expect(joined.ask(.begin(0, frame: frame)) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
    let notes = joined.told()
    #expect(notes.first?.kind == .sourceGone && notes.first { $0.kind == .noteOn }?.frame == frame)
    // Once only.
    #expect(joined.ask(.begin(0, frame: frame)) == nil && !joined.told().contains { $0.kind == .sourceGone })
    // A pulse long after a start is nobody's.
    #expect(joined.ask(.arm(0)) == nil)
    joined.pass(milliseconds: 600)
    _ = joined.told()
    #expect(joined.ask(.begin(0, frame: frame)) == nil && joined.told().isEmpty)
  }

  @Test("goes on following when the rate of the card changes, and when it is moved")
  func goesOnFollowing() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.take(long, at: 0)) == nil && joined.ask(.load("a song")) == nil)
    #expect(joined.ask(.arm(0)) == nil)
    #expect(joined.ask(.begin(0, frame: joined.frame)) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .noteOn } })
    joined.instrument.card.state.rate = 44_100
    #expect(joined.until { $0.events.contains { $0.kind == .sourceGone } })
    #expect(joined.ask(.move(5)) == nil)
    joined.pass(milliseconds: 100)
    #expect(joined.instrument.songs.state.isOn)
    #expect(joined.events.count { $0.kind == .sourceGone } == 2)
    #expect(!joined.events.contains { JoinedPlayer.clocks.contains($0.kind) })
  }

  @Test("leaves the transport running at its end; a stop stops it")
  func end() throws {
    let joined = try JoinedPlayer()
    let short = songFile([0, 0x90, 62, 100, 8, 62, 0, 8, 0xFF, 0x2F, 0])
    #expect(joined.play(short) == nil)
    #expect(joined.until { $0.events.contains { $0.kind == .sourceGone } })
    #expect(joined.events.contains { $0.kind == .clockStart })
    #expect(!joined.events.contains { $0.kind == .clockStop } && !joined.instrument.songs.state.isOn)
    _ = joined.told()
    #expect(joined.play(long) == nil && joined.until { $0.events.contains { $0.kind == .noteOn } })
    #expect(joined.ask(.stop) == nil && joined.take().contains { $0.kind == .clockStop })
  }

  @Test("gives back the pan that it has set when it ends in any way, unless a hand has moved it since")
  func givesBack() throws {
    let joined = try JoinedPlayer()
    let knob = try #require(Address("/part/1/pan", focus: 0)).knob
    func pan() -> Float { joined.instrument.stage.scene[knob] }
    let left = songFile([0, 0xB0, 10, 0, 0, 0x90, 60, 100, 0x8F, 0, 60, 0, 0, 0xFF, 0x2F, 0])
    joined.instrument.set(knob, to: 0.25)
    #expect(joined.play(left) == nil && joined.until { _ in pan() == -1 })
    #expect(joined.ask(.stop) == nil && pan() == 0.25)
    // It is chased, and given back once more when another song is loaded.
    #expect(joined.ask(.move(2)) == nil && joined.ask(.play(nil)) == nil && joined.until { _ in pan() == -1 })
    #expect(joined.ask(.move(4)) == nil && pan() == -1)
    #expect(joined.ask(.take(long, at: 0)) == nil && joined.ask(.load("long")) == nil && pan() == 0.25)
    // At its end.
    #expect(joined.play(left) == nil && joined.until { _ in pan() == -1 })
    #expect(
      joined.ask(.move(9.9)) == nil && joined.until { !$0.instrument.songs.state.isOn } && pan() == 0.25)
    // A hand.
    #expect(joined.play(left) == nil && joined.until { _ in pan() == -1 })
    joined.instrument.set(knob, to: 0.5)
    #expect(joined.ask(.stop) == nil && pan() == 0.5)
  }

  @Test("goes at 120 without a tempo, and shows tenths of seconds")
  func withoutTempo() throws {
    let joined = try JoinedPlayer()
    joined.instrument.tempo.set(77)
    #expect(joined.play(long) == nil && joined.until { $0.instrument.stage.scene.master.tempo == 120 })
    var seen: Set<Double> = []
    #expect(
      joined.until {
        seen.insert($0.instrument.songs.state.position)
        return seen.count == 4
      })
    #expect(seen.allSatisfy { abs(10 * $0 - (10 * $0).rounded()) < 1e-9 })
    #expect(seen.contains { $0 != $0.rounded() })
  }

  @Test("goes on from its end at its beginning while it loops")
  func loops() throws {
    let joined = try JoinedPlayer()
    #expect(joined.ask(.loop(true)) == nil)
    #expect(joined.play(songFile([0, 0x90, 62, 100, 8, 62, 0, 40, 0xFF, 0x2F, 0]), name: "short") == nil)
    #expect(joined.until { $0.events.count { $0.kind == .noteOn && $0.value > 0 } == 3 })
    let notes = joined.told().filter { $0.kind == .noteOn && $0.value > 0 }
    // Half a beat is made a whole one.
    for (one, other) in zip(notes, notes.dropFirst()) { #expect(abs(other.frame - one.frame - 24_000) <= 1) }
    #expect(joined.instrument.songs.state.loops && joined.ask(.loop(false)) == nil)
    #expect(joined.until { !$0.instrument.songs.state.isOn && !$0.instrument.songs.state.loops })
  }
}
